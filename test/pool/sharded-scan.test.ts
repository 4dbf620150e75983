import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GuardError } from '../../src/domain/errors.js';
import type { Verdict } from '../../src/domain/finding.js';
import type { Message } from '../../src/domain/message.js';
import { scanMessages } from '../../src/engine/judge/judge.js';
import { compileProfile } from '../../src/engine/judge/profile.js';
import { createScanner } from '../../src/engine/scanner.js';
import { createPool, type Pool, type PoolOptions } from '../../src/pool/pool.js';
import { programOf } from '../engine/program-of.js';
import { examples, loadShippedRules } from '../shipped-rules.js';

const workerFile = new URL('../../dist/pool/worker.js', import.meta.url);
const lostHelper = new URL('./lost-helper.mjs', import.meta.url);
const slowPatterns = Array.from({ length: 20 }, (_, i) => ({ regex: `akia [^!]{0,${100 + i}}[0-9]` }));
const program = programOf([{ phrase: 'two words' }, ...slowPatterns]);
const profile = compileProfile(
  { id: 'default', title: 'Test', policies: { LLM01: { mode: 'enforce', threshold: 0.5 } } },
  program,
);
const pools: Pool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

/** A pool whose threads are up. */
async function open(options: Partial<PoolOptions> = {}): Promise<Pool> {
  // A scan that is slow on purpose takes long where the machine has other work, and its deadline is what one test alone is about.
  const given = { program: program.memory, threads: 2, workerFile, shardUnitsMin: 1_000, deadlineMs: 60_000 };
  const pool = createPool({ ...given, ...options });
  pools.push(pool);
  await Promise.all(Array.from({ length: pool.threads }, () => warm(pool)));
  return pool;
}

/** On a busy machine a thread may take longer to start than a scan may take. */
async function warm(pool: Pool): Promise<void> {
  for (;;) {
    try {
      await pool.run(task(user('warm')));
      return;
    } catch (error) {
      if (!(error instanceof GuardError) || error.code !== 'deadline') throw error;
    }
  }
}

const user = (content: string): readonly Message[] => [{ role: 'user', content }];
const task = (messages: readonly Message[]) => ({ profile, scans: [messages] });
/** Keeps two threads busy for some time: all gates open at every step, and nothing of it matches. */
const slow = user(`${'akia b '.repeat(400_000)}two words`);

describe('a large text in the pool', () => {
  const shipped = loadShippedRules();
  const longest = examples.join('\n');
  const half = longest.length >> 1;
  const conversations: readonly (readonly Message[])[] = [
    user(longest),
    user(longest.toUpperCase()),
    [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'tool', content: longest.slice(0, half) },
      { role: 'assistant', content: '' },
      { role: 'user', content: longest.slice(half) },
    ],
    user('😀'.repeat(70_000)),
    user(`${longest.slice(0, 100_000)}${' '.repeat(100_000)}${longest.slice(100_000, 200_000)}`),
  ];
  const scans = shipped.profiles.flatMap((strictness) => conversations.map((messages) => ({ strictness, messages })));
  let ofOneThread: readonly Verdict[] = [];
  beforeAll(() => {
    const scanner = createScanner(shipped.program);
    ofOneThread = scans.map(({ strictness, messages }) => scanMessages(scanner, strictness, messages));
  });

  it.each([2, 3])(
    'has the verdict of one thread, by the shipped rules and their examples: %i threads',
    async (threads) => {
      const pool = await open({ program: shipped.program.memory, threads });
      for (const [place, { strictness, messages }] of scans.entries()) {
        const { verdicts } = await pool.run({ profile: strictness, scans: [messages] });
        expect(verdicts).toEqual([ofOneThread[place]]);
      }
    },
    120_000,
  );

  it('is not found where the profile does not want it scanned', async () => {
    const latest = compileProfile(
      { id: 'p', title: 'P', policies: { LLM01: { mode: 'enforce', threshold: 0.5 } }, scanScope: 'latest_turn' },
      program,
    );
    const pool = await open();
    const long = 'all is well '.repeat(1_000);
    const told = (...contents: readonly string[]) => [
      { role: 'user', content: `${long}two words` },
      { role: 'assistant', content: long },
      ...contents.map((content) => ({ role: 'user', content })),
    ];
    for (const messages of [told(long), told(long, `${long}two words`), told()]) {
      const { verdicts } = await pool.run({ profile: latest, scans: [messages] });
      expect(verdicts).toEqual([scanMessages(createScanner(program), latest, messages)]);
      expect(verdicts[0].findings.map(({ messageId }) => messageId)).toEqual(messages.length === 4 ? [3] : []);
    }
  });

  it('is done by threads that would be idle, which go back when another scan waits', async () => {
    const pool = await open();
    const order: string[] = [];
    const large = pool.run(task(slow)).then(({ verdicts }) => order.push(`large ${verdicts[0].flagged}`));
    const small = pool.run(task(user('two words'))).then(({ verdicts }) => order.push(`small ${verdicts[0].flagged}`));
    await Promise.all([large, small]);
    expect(order).toEqual(['small true', 'large true']);
  });

  it('is one scan, however many threads are at it', async () => {
    const pool = await open({ queueMax: 1 });
    const admitted = [pool.run(task(slow)), pool.run(task(user('two words'))), pool.run(task(user('two words')))];
    await expect(pool.run(task(user('x')))).rejects.toMatchObject({ code: 'overloaded', status: 503 });
    for (const answer of await Promise.all(admitted)) expect(answer.verdicts[0].flagged).toBe(true);
  });

  it('has no verdict when a thread dies under a shard; the pool goes on', async () => {
    const pool = await open({ workerFile: lostHelper });
    await expect(pool.run(task(slow))).rejects.toMatchObject({ code: 'worker_lost', status: 503 });
    const { verdicts } = await pool.run(task(user('two words')));
    expect(verdicts[0].flagged).toBe(true);
  });

  it('has no verdict when the leading thread dies; the pool goes on', async () => {
    const many = programOf([{ regex: 'q[0-9]{2}' }]);
    const pool = await open({ program: many.memory, resourceLimits: { maxOldGenerationSizeMb: 12 } });
    const wide = user('q12           '.repeat(900_000));
    await expect(pool.run(task(wide))).rejects.toMatchObject({ code: 'worker_lost', status: 503 });
    expect((await pool.run(task(user('x')))).verdicts).toHaveLength(1);
  });

  it('misses its deadline as a whole; the pool goes on', async () => {
    const pool = await open({ deadlineMs: 2_000 });
    const slower = user('akia b '.repeat(4_000_000));
    await expect(pool.run(task(slower))).rejects.toMatchObject({ code: 'deadline', status: 503 });
    const patient = await open();
    expect((await patient.run(task(user('two words')))).verdicts[0].flagged).toBe(true);
  });

  it('is not begun when it was abandoned', async () => {
    const pool = await open();
    await expect(pool.run(task(slow), AbortSignal.abort())).rejects.toMatchObject({ code: 'deadline' });
  });

  it('is finished when the pool closes', async () => {
    const pool = await open();
    const answer = pool.run(task(slow));
    const closed = pool.close();
    expect((await answer).verdicts[0].flagged).toBe(true);
    await closed;
    await expect(pool.run(task(slow))).rejects.toMatchObject({ code: 'draining' });
  });
});
