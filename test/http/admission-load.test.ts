import { describe, expect, test } from 'vitest';
import { createAdmission } from '../../src/http/admission.js';

/*
 * The admission under load, in simulated time: an event loop that reads what has arrived, then runs what was put off to
 * the next turn. What a busy test machine would hide is exact here. Costs are those measured on the real service.
 */

interface Load {
  /** Of one scan. */
  readonly workUs: number;
  /** Arrivals a second, at random. */
  readonly rate: number;
  readonly seconds: number;
}

const readUs = 15;
const openConnections = 1_000;

/** Who asks, as the event loop reads it: the times at which requests came, and what becomes of them. */
interface Clients {
  readonly connections: () => number;
  /** Of the next request; it may lie in the past. */
  readonly nextUs: () => number;
  /** Requests that came until then. */
  readonly takeUntil: (untilUs: number) => Iterable<number>;
  readonly answered?: (nowUs: number) => void;
}

interface Simulation {
  readonly clients: Clients;
  readonly workUs: number;
  readonly seconds: number;
  readonly random: () => number;
}

function simulate({ clients, workUs, seconds, random }: Simulation) {
  let nowUs = 0;
  let turns: (() => void)[] = [];
  const served: number[] = [];
  const refused: number[] = [];
  let lastRefusedUs = 0;
  const clock = { nowUs: () => nowUs, nowMs: () => Math.trunc(nowUs / 1_000) };
  const admission = createAdmission({
    clock,
    connections: clients.connections,
    nextTurn: (callback) => turns.push(callback),
  });
  const bytes = workUs * 8;
  // Texts differ in what they cost.
  const request = (arrivedUs: number) => ({
    work: () => {
      nowUs += workUs * (0.5 + random());
    },
    finish: () => {
      served.push(nowUs - arrivedUs);
      clients.answered?.(nowUs);
    },
  });
  while (nowUs < seconds * 1_000_000) {
    if (turns.length === 0) nowUs = Math.max(nowUs, clients.nextUs());
    for (const arrivedUs of clients.takeUntil(nowUs)) {
      const headUs = nowUs;
      nowUs += readUs;
      if (admission.isFull()) {
        refused.push(nowUs - arrivedUs);
        lastRefusedUs = nowUs;
        clients.answered?.(nowUs);
      } else if (admission.mayRun(headUs, bytes)) {
        const now = request(arrivedUs);
        now.work();
        now.finish();
      } else admission.wait(request(arrivedUs), bytes);
    }
    const due = turns;
    turns = [];
    for (const callback of due) callback();
  }
  return {
    served: served.length / seconds,
    refused: refused.length,
    lastRefusedUs,
    p99Ms: quantile(served, 0.99),
    refusedP99Ms: quantile(refused, 0.99),
  };
}

/** Requests that arrive by themselves. */
function simulateArrivals({ workUs, rate, seconds }: Load) {
  const random = seeded(3);
  let nextUs = 0;
  function* takeUntil(untilUs: number) {
    while (nextUs <= untilUs) {
      const arrivedUs = nextUs;
      nextUs += (-Math.log(1 - random()) / rate) * 1_000_000;
      yield arrivedUs;
    }
  }
  const clients = { connections: () => openConnections, nextUs: () => nextUs, takeUntil };
  return simulate({ clients, workUs, seconds, random });
}

interface Greedy {
  readonly clients: number;
  /** So many stay after the first second. */
  readonly staying?: number;
  readonly workUs: number;
  readonly seconds: number;
}

/** Clients that ask again as soon as they have an answer, a verdict or a refusal. */
function simulateGreedy({ clients: count, staying = count, workUs, seconds }: Greedy) {
  const asked: number[] = Array.from({ length: count }, () => 0);
  let open = count;
  const clients: Clients = {
    connections: () => open,
    nextUs: () => 0,
    takeUntil: () => asked.splice(0),
    answered: (nowUs) => {
      if (nowUs < 1_000_000 || open <= staying) asked.push(nowUs);
      else open--;
    },
  };
  return simulate({ clients, workUs, seconds, random: seeded(5) });
}

/** In milliseconds. */
function quantile(valuesUs: readonly number[], share: number): number {
  const sorted = [...valuesUs].sort((one, other) => one - other);
  return (sorted[Math.floor(sorted.length * share)] ?? 0) / 1_000;
}

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** In milliseconds, as the refusals' time; `served` is of the capacity. */
interface Row {
  readonly share: number;
  readonly served: number;
  /** Longest p99 of the verdicts, as a multiple of that at 80 % of the capacity. */
  readonly p99: number;
  readonly refusedP99: number;
}

/*
 * A flood of small scans is the hardest: at ten times the capacity, reading and refusing what is too much takes half of the
 * thread's time. Below twice the capacity the longer bound holds, which is for bursts.
 */
describe.each<[string, number, readonly Row[]]>([
  [
    '8 KB',
    1_000,
    [
      { share: 1.5, served: 0.97, p99: 4, refusedP99: 3 },
      { share: 3, served: 0.95, p99: 1, refusedP99: 3 },
      { share: 10, served: 0.8, p99: 1, refusedP99: 3 },
    ],
  ],
  [
    '2 KB',
    250,
    [
      { share: 3, served: 0.85, p99: 2, refusedP99: 3 },
      { share: 10, served: 0.4, p99: 5, refusedP99: 6 },
    ],
  ],
])('scans of %s', (_name, workUs, rows) => {
  const capacity = 1_000_000 / (workUs + readUs);
  const at = (share: number) => simulateArrivals({ workUs, rate: capacity * share, seconds: 10 });
  const calm = at(0.8);

  test('at 80 % of the capacity all are served', () => {
    expect(calm.served).toBeGreaterThan(capacity * 0.78);
    expect(calm.refused).toBe(0);
  });

  test.each(rows)('at $share times the capacity', ({ share, served, p99, refusedP99 }) => {
    const flood = at(share);
    expect(flood.served).toBeGreaterThan(capacity * served);
    expect(flood.p99Ms).toBeLessThan(calm.p99Ms * p99);
    expect(flood.refused).toBeGreaterThan(0);
    expect(flood.refusedP99Ms).toBeLessThan(refusedP99);
  });
});

describe('clients that ask again at once', () => {
  const workUs = 170;
  const capacity = 1_000_000 / (workUs + readUs);

  test.each([32, 128, 256])('%i of them are all served', (clients) => {
    // At first nothing is known of what requests cost.
    const { served, p99Ms } = simulateGreedy({ clients, workUs, seconds: 10 });
    expect(served).toBeGreaterThan(capacity * 0.95);
    expect(p99Ms).toBeLessThan(60);
  });

  test('256 of them are not refused for ever because there were a thousand', () => {
    const { refused, lastRefusedUs } = simulateGreedy({ clients: 1_000, staying: 256, workUs, seconds: 10 });
    expect(refused).toBeGreaterThan(1_000);
    expect(lastRefusedUs).toBeLessThan(2_000_000);
  });

  test('a thousand of them would wait too long, and refusing them leaves time for verdicts', () => {
    const { served, refused, p99Ms, refusedP99Ms } = simulateGreedy({ clients: 1_000, workUs, seconds: 10 });
    expect(refused).toBeGreaterThan(1_000);
    expect(served).toBeGreaterThan(capacity * 0.2);
    expect(p99Ms).toBeLessThan(120);
    expect(refusedP99Ms).toBeLessThan(30);
  });
});
