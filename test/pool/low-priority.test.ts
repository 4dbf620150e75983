import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { compileProfile } from '../../src/engine/judge/profile.js';
import { createPool } from '../../src/pool/pool.js';
import { programOf } from '../engine/program-of.js';

const program = programOf([{ phrase: 'two words' }]);
const profile = compileProfile({ id: 'd', title: 'D', policies: {} }, program);
const pool = createPool({
  program: program.memory,
  threads: 2,
  workerFile: new URL('../../dist/pool/worker.js', import.meta.url),
});
afterAll(() => pool.close());

/** Threads of this process by niceness; none where a priority is not a thread's. */
function threadsOf(niceness: number): number {
  if (process.platform !== 'linux') return 0;
  return readdirSync('/proc/self/task').filter((thread) => nicenessOf(Number(thread)) === niceness).length;
}

/** Undefined for a thread that has ended meanwhile. */
function nicenessOf(thread: number): number | undefined {
  try {
    return getPriority(thread);
  } catch {
    return undefined;
  }
}

test('threads of the pool work behind those that serve', async () => {
  const own = getPriority();
  const before = threadsOf(2);
  const task = { profile, scans: [[{ role: 'user', content: 'two words' }]] };
  await Promise.all([pool.run(task), pool.run(task)]);
  expect(threadsOf(2) - before).toBeGreaterThanOrEqual(process.platform === 'linux' ? 1 : 0);
  expect(getPriority()).toBe(own);
});
