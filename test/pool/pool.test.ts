import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/domain/message.js';
import { scanMessages } from '../../src/engine/judge/judge.js';
import { compileProfile } from '../../src/engine/judge/profile.js';
import { createScanner } from '../../src/engine/scanner.js';
import { createPool, type Pool, type PoolOptions } from '../../src/pool/pool.js';
import { programOf } from '../engine/program-of.js';

const workerFile = new URL('../../dist/pool/worker.js', import.meta.url);
const program = programOf([{ phrase: 'two words' }, { regex: '(?:a[^b]{0,40}){12}AKIA', ignore_case: true }]);
const profile = compileProfile(
  { id: 'default', title: 'Test', policies: { LLM01: { mode: 'enforce', threshold: 0.5 } } },
  program,
);
const pools: Pool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function open(options: Partial<PoolOptions> = {}): Pool {
  const pool = createPool({ program: program.memory, threads: 1, workerFile, ...options });
  pools.push(pool);
  return pool;
}

const user = (content: string): readonly Message[] => [{ role: 'user', content }];
const task = (...scans: readonly (readonly Message[])[]) => ({ profile, scans });
/** A scan that keeps a worker busy for some time: the gate opens at every step of a long text. */
const slowScans = Array.from({ length: 40 }, () => user('a akia '.repeat(60_000)));

describe('createPool', () => {
  it('answers what one thread answers, in the order asked', async () => {
    const scans = [user('two words'), user('none'), user(`${'x '.repeat(50_000)}TWO words`), user('')];
    const scanner = createScanner(program);
    const { verdicts } = await open({ threads: 2 }).run(task(...scans));
    expect(verdicts).toEqual(scans.map((messages) => scanMessages(scanner, profile, messages)));
    expect(verdicts.map(({ flagged }) => flagged)).toEqual([true, false, true, false]);
  });

  it('scans with each program that was published, in turn', async () => {
    const pool = open();
    const others = ['three', 'four', 'five', 'six'].map((word, index) => {
      const published = programOf([{ phrase: 'one' }, { phrase: `${word} words` }]);
      const compiled = compileProfile(
        { ...profile, policies: { LLM01: { mode: 'enforce', threshold: 0.5 } } },
        published,
      );
      return { word, compiled, pool: pool.over({ generation: index + 1, memory: published.memory }) };
    });
    const asked = [...others, ...others].flatMap(({ word, compiled, pool: over }) => [
      over.run({ profile: compiled, scans: [user(`${word} words`), user('two words')] }),
      pool.run(task(user(`${word} words`), user('two words'))),
    ]);
    const answers = await Promise.all(asked);
    const flags = answers.map(({ verdicts }) => verdicts.map(({ flagged }) => flagged));
    expect(flags).toEqual(
      others.concat(others).flatMap(() => [
        [true, false],
        [false, true],
      ]),
    );
  });

  it('refuses at once when its queue is full, and answers what it admitted', async () => {
    const pool = open({ queueMax: 2 });
    await pool.run(task(user('warm')));
    const asked = Array.from({ length: 6 }, () => pool.run(task(user('two words '.repeat(20_000)))));
    const outcomes = await Promise.allSettled(asked);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'overloaded', status: 503 });
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') expect(outcome.value.verdicts[0].flagged).toBe(true);
    }
    expect(outcomes.length - refused.length).toBeGreaterThanOrEqual(2);
  });

  it('gives up a scan that misses its deadline, and goes on with the next', async () => {
    const pool = open({ deadlineMs: 150 });
    await expect(pool.run(task(...slowScans))).rejects.toMatchObject({ code: 'deadline', status: 503 });
    const { verdicts } = await open().run(task(user('two words')));
    expect(verdicts[0].flagged).toBe(true);
  });

  it('answers "lost", never "clean", when a worker dies under a scan', async () => {
    const pool = open({ resourceLimits: { maxOldGenerationSizeMb: 8 } });
    const huge = Array.from({ length: 2_000 }, (_, i) => user(`two words ${i} ${'two words. '.repeat(900)}`));
    await expect(pool.run(task(...huge))).rejects.toMatchObject({ code: 'worker_lost', status: 503 });
  });

  it('does not begin a scan that was abandoned while it waited, and does the others', async () => {
    const pool = open();
    await pool.run(task(user('warm')));
    const leaving = new AbortController();
    const running = pool.run(task(slowScans[0], user('two words')));
    const waiting = pool.run(task(...slowScans), leaving.signal);
    const staying = pool.run(task(user('two words')), new AbortController().signal);
    expect(pool.queued).toBe(2);
    leaving.abort();
    expect(pool.queued, 'a place is kept until its turn comes').toBe(2);
    await expect(waiting).rejects.toMatchObject({ code: 'deadline' });
    expect((await running).verdicts[1].flagged).toBe(true);
    expect((await staying).verdicts[0].flagged).toBe(true);
    await expect(pool.run(task(user('x')), leaving.signal)).rejects.toMatchObject({ code: 'deadline' });
  });

  it('refuses after close', async () => {
    const pool = open();
    await pool.close();
    await expect(pool.run(task(user('x')))).rejects.toMatchObject({ code: 'draining' });
  });

  it('judges each task under the profile that came with it', async () => {
    const pool = open();
    const lenient = { id: 'own', title: 'Own', policies: { LLM01: { mode: 'monitor', threshold: 0.9 } } } as const;
    const flags = [];
    for (const own of [
      profile,
      compileProfile(lenient, program),
      compileProfile({ ...lenient, policies: {} }, program),
    ]) {
      const { verdicts } = await pool.run({ profile: own, scans: [user('two words')] });
      flags.push([verdicts[0].flagged, verdicts[0].scores.LLM01 !== undefined]);
    }
    expect(flags).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
  });
});
