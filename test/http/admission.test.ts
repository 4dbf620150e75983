import { expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { createAdmission } from '../../src/http/admission.js';

const sliceUs = 1_000;

/** An admission whose clock and turns are ours: `work(us)` gives work that takes so long. */
function stage(waitMsMax = 10, freeBytes = 0, connections = 0, together = true) {
  let nowUs = 5_000_000;
  const turns: (() => void)[] = [];
  const done: string[] = [];
  const clock = { nowUs: () => nowUs, nowMs: () => Math.trunc(nowUs / 1_000) };
  const admission = createAdmission({
    clock,
    waitMsMax,
    freeBytes,
    turnUs: sliceUs,
    sliceUs,
    nextTurn: (callback) => turns.push(callback),
    connections: () => connections,
    crowdWaits: 0,
    together,
  });
  const sent: string[] = [];
  const pass = (us: number) => {
    nowUs += us;
  };
  const work = (name: string, us: number) => () => {
    done.push(name);
    pass(us);
  };
  /** A request as the front end treats it. */
  const offer = (name: string, us: number, bytes = 500, readUs = nowUs): 'refused' | 'run' | 'waits' => {
    if (admission.isFull()) return 'refused';
    if (admission.mayRun(readUs, bytes)) {
      work(name, us)();
      return 'run';
    }
    admission.wait({ work: work(name, us), finish: () => sent.push(`${name} of ${done.length}`) }, bytes);
    return 'waits';
  };
  const turn = () => {
    for (const callback of turns.splice(0)) callback();
  };
  return { admission, offer, turn, pass, done, sent, now: () => nowUs, turns };
}

test('a young turn works at once, an older one queues, and what was queued comes first and in order', () => {
  const { offer, turn, done, admission, turns } = stage();
  expect(['a', 'b', 'c'].map((name) => offer(name, 600))).toEqual(['run', 'run', 'waits']);
  turn();
  expect(done).toEqual(['a', 'b', 'c']);
  expect(admission.waiting).toBe(0);
  expect(turns).toEqual([]);
  expect(offer('d', 2_000)).toBe('run');
  expect(['e', 'f', 'g'].map((name) => offer(name, 600))).toEqual(['waits', 'waits', 'waits']);
  turn();
  expect(done.slice(3)).toEqual(['d', 'e', 'f']);
  expect(offer('h', 600)).toBe('waits');
  turn();
  expect(done.slice(6)).toEqual(['g', 'h']);
});

test('a request whose head came long ago is judged by the age of the turn that its body came in', () => {
  const { offer, turn, now, pass } = stage();
  const long = now();
  pass(3_000_000);
  expect(offer('first', 100, 500, long)).toBe('run');
  expect(offer('second', 2_000, 500, long)).toBe('run');
  expect(offer('third', 100, 500, long)).toBe('waits');
  turn();
  // Nor is the time in which it was awaited taken for work.
  expect(offer('fourth', 2_000)).toBe('run');
  const answers = Array.from({ length: 20 }, (_, index) => offer(String(index), 100));
  expect(answers.every((answer) => answer === 'waits')).toBe(true);
});

test('what waits is bounded by what work has cost lately, and the bound opens again', () => {
  const { offer, turn, admission } = stage(10);
  // Work of 1 ms each, until it is known.
  for (let round = 0; round < 500; round++) {
    offer('known', 1_000);
    turn();
  }
  offer('first', 2_000);
  const answers = Array.from({ length: 40 }, () => offer('more', 1_000));
  const waiting = answers.filter((answer) => answer === 'waits').length;
  expect(waiting).toBeGreaterThanOrEqual(9);
  expect(waiting).toBeLessThanOrEqual(13);
  expect(answers.at(-1)).toBe('refused');
  expect(admission.waitUs).toBeGreaterThan(10_000);
  for (let left = 0; left < 20; left++) turn();
  expect(admission.waiting).toBe(0);
  expect(offer('again', 100)).toBe('run');
});

test('one stalled turn does not make everything look expensive', () => {
  const { offer, turn, pass } = stage(10);
  offer('quick', 50);
  pass(60_000_000);
  turn();
  offer('first', 2_000);
  expect(Array.from({ length: 20 }, () => offer('more', 50)).every((answer) => answer === 'waits')).toBe(true);
});

test('a slice is as long after much reading as after little', () => {
  const { offer, turn, pass, done } = stage(1_000);
  offer('first', 2_000);
  for (let count = 0; count < 200; count++) offer('more', 500);
  for (const readingUs of [0, 1_500, 20_000]) {
    const before = done.length;
    pass(readingUs);
    turn();
    expect(done.length - before).toBe(2);
  }
});

test('some may wait however long it takes', () => {
  const { offer, turn, admission } = stage(0, 20 * 1_024);
  offer('first', 100_000);
  const answers = Array.from({ length: 30 }, () => offer('more', 100_000, 512));
  expect(answers.filter((answer) => answer === 'waits')).toHaveLength(21);
  turn();
  expect(admission.waiting).toBe(20);
});

test('where most are refused, those that are admitted wait a short time only, until the flood is over', () => {
  const { offer, turn, admission } = stage(50);
  for (let round = 0; round < 500; round++) {
    offer('known', 1_000);
    turn();
  }
  const flood = (count: number) => Array.from({ length: count }, () => offer('more', 1_000));
  offer('first', 2_000);
  flood(500);
  expect(admission.waiting).toBeGreaterThan(40);
  for (let round = 0; round < 80; round++) {
    turn();
    flood(10);
  }
  expect(admission.waitUs).toBeLessThan(limits.floodWaitUs * 2);
  expect(flood(10).at(-1)).toBe('refused');
  for (let left = 0; left < 100; left++) turn();
  for (let round = 0; round < 50; round++) {
    offer('calm', 1_000);
    turn();
  }
  offer('first', 2_000);
  expect(flood(30).every((answer) => answer === 'waits')).toBe(true);
});

test('the number of those that wait is bounded, too', () => {
  const { offer, admission } = stage(60_000);
  offer('first', 2_000);
  const answers = Array.from({ length: limits.inlineQueueMax + 1 }, () => offer('more', 1, 0));
  expect(admission.waiting).toBe(limits.inlineQueueMax);
  expect(answers.at(-1)).toBe('refused');
});

test('after a turn of several requests those of the next are answered together, a slice at a time', () => {
  const { offer, turn, sent } = stage(10, 20_000, 8);
  const offerAll = (names: string) => [...names].map((name) => offer(name, 300));
  expect(offerAll('abc')).toEqual(['run', 'run', 'run']);
  turn();
  expect(offerAll('defgh')).toEqual(['waits', 'waits', 'waits', 'waits', 'waits']);
  expect(sent).toEqual([]);
  turn();
  expect(sent).toEqual(['d of 7', 'e of 7', 'f of 7', 'g of 7']);
  turn();
  expect(sent.slice(4)).toEqual(['h of 8']);
  // The turn before brought nothing.
  expect(offerAll('ij')).toEqual(['run', 'run']);
  turn();
  expect(offerAll('kl')).toEqual(['run', 'run']);
});

test.each([
  ['a connection sends several requests in one go', 4, true],
  ['answers wait for something else', 8, false],
])('where %s none of them is put off', (_case, connections, together) => {
  const { offer, turn } = stage(10, 20_000, connections, together);
  for (let round = 0; round < 4; round++) {
    expect([...'abcde'].map((name) => offer(name, 100))).toEqual(['run', 'run', 'run', 'run', 'run']);
    turn();
  }
});
