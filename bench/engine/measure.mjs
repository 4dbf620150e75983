/**
 * @typedef {object} Runner One engine, ready to run.
 * @property {string} name
 * @property {import('./reference.mjs').Claim} claims
 * @property {(corpus: import('./corpora.mjs').Corpus, texts: number, repeats: number) => Sample | Promise<Sample>} run
 *   counts in the first `texts` texts, `repeats` times over; `matches` is of all repeats
 * @property {(corpus: import('./corpora.mjs').Corpus, texts: number) => number[] | Promise<number[]>} [times]
 *   microseconds of single calls
 *
 * @typedef {{ ms: number, matches: number }} Sample
 * @typedef {{ corpus: string, engine: string, mbps: number, p50us?: number, p99us?: number, matches: number,
 *   counted: number, expected?: number }} Row `matches` and `expected` in the first `counted` texts
 */

/**
 * A runner in this process.
 * @param {string} name
 * @param {import('./reference.mjs').Claim} claims
 * @param {(text: string) => number} count
 * @returns {Runner}
 */
export function runnerOf(name, claims, count) {
  return {
    name,
    claims,
    run: ({ texts }, upTo, repeats) => {
      let matches = 0;
      const began = performance.now();
      for (let repeat = 0; repeat < repeats; repeat++) {
        for (let i = 0; i < upTo; i++) matches += count(texts[i]);
      }
      return { ms: performance.now() - began, matches };
    },
    times: ({ texts }, upTo) => {
      const times = [];
      for (let i = 0; i < upTo; i++) {
        const began = performance.now();
        count(texts[i]);
        times.push((performance.now() - began) * 1_000);
      }
      return times;
    },
  };
}

/**
 * Runs all runners over one corpus, round after round so that a slow minute of the machine meets all of them, and
 * takes medians. Before that each counts the corpus, or as many of its first texts as the budget allows.
 * @param {import('./corpora.mjs').Corpus} corpus
 * @param {readonly Runner[]} runners
 * @param {{ rounds: number, sampleMs: number, countMs: number }} effort
 * @param {(texts: number) => Readonly<Record<string, number>>} expected counts by claim in the first texts
 * @returns {Promise<Row[]>}
 */
export async function measureCorpus(corpus, runners, effort, expected) {
  const plans = [];
  for (const runner of runners) plans.push(await plan(runner, corpus, effort));
  for (let round = 0; round < effort.rounds; round++) {
    // Turned by one each round, so that nobody always runs after the same neighbour.
    for (let i = 0; i < plans.length; i++) {
      const { runner, texts, repeats, bytes, speeds, times } = plans[(i + round) % plans.length];
      const { ms } = await runner.run(corpus, texts, repeats);
      speeds.push((bytes * repeats) / 1_000 / ms);
      if (corpus.percentiles && runner.times) times.push(...(await runner.times(corpus, texts)));
    }
  }
  return plans.map(({ runner, counted, matches, speeds, times }) => ({
    corpus: corpus.name,
    engine: runner.name,
    mbps: significant(median(speeds)),
    ...(times.length > 0 && { p50us: significant(quantile(times, 0.5)), p99us: significant(quantile(times, 0.99)) }),
    matches,
    counted,
    expected: expected(counted)[runner.claims],
  }));
}

async function plan(runner, corpus, { sampleMs, countMs }) {
  let counted = 1;
  let { ms, matches } = await runner.run(corpus, 1, 1);
  while (counted < corpus.texts.length && ms * 2 < countMs) {
    counted = Math.min(counted * 2, corpus.texts.length);
    ({ ms, matches } = await runner.run(corpus, counted, 1));
  }
  // Once more where that is cheap: the pass before was mostly warming up.
  if (ms < sampleMs) ({ ms } = await runner.run(corpus, counted, 1));
  const texts = Math.max(1, Math.min(counted, Math.floor((counted * sampleMs) / ms)));
  const repeats = Math.max(1, Math.ceil((sampleMs * counted) / texts / Math.max(ms, 0.01)));
  await warmUp(runner, corpus, texts);
  const bytes = corpus.texts.slice(0, texts).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { runner, matches, counted, texts, repeats, bytes, speeds: [], times: [] };
}

const warmMs = 400;
const warm = new WeakSet();

/** Once for each runner, before its first sample: engines, WebAssembly above all, are compiled anew when they are hot. */
async function warmUp(runner, corpus, texts) {
  if (warm.has(runner)) return;
  warm.add(runner);
  for (const began = performance.now(); performance.now() - began < warmMs; ) await runner.run(corpus, texts, 1);
}

export function median(values) {
  return quantile(values, 0.5);
}

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Three significant digits: more would be noise. */
export function significant(value) {
  return Number(value.toPrecision(3));
}
