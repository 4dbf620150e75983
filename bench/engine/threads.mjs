import { scanMessages } from '../../dist/engine/judge/judge.js';
import { createScanner } from '../../dist/engine/scanner.js';
import { createPool } from '../../dist/pool/pool.js';
import { corpusOf, cut } from './corpora.mjs';
import { measureCorpus } from './measure.mjs';

/** Scans under way at a time, for each thread: none waits for the next. */
const scansPerThread = 2;
const independentBytes = 65_536;
const largeBytes = [65_536, 262_144, 1_048_576];

/**
 * The full scan in the pool: independent texts over one worker and over two, and one large text after the other by one
 * worker and shared out to two.
 * @returns {Promise<import('./measure.mjs').Row[]>}
 */
export async function measureThreads(benignTexts, { program }, profile, effort) {
  const alone = createPool({ program: program.memory, threads: 1 });
  const apart = createPool({ program: program.memory, threads: 2, shardUnitsMin: Number.MAX_SAFE_INTEGER });
  const together = createPool({ program: program.memory, threads: 2, shardUnitsMin: 1 });
  const expected = countAlone(program, profile);
  const pools = [alone, apart, together];
  try {
    const rows = [];
    // Not before all threads are up.
    const warm = (pool) => Array.from({ length: pool.threads }, () => pool.run({ profile, scans: [[]] }));
    await Promise.all(pools.flatMap(warm));
    const many = corpusOf(
      'independent texts of 64 KB',
      cut(benignTexts, independentBytes, 8 * independentBytes),
      false,
    );
    const independent = [
      runnerOver('one worker', alone, profile, scansPerThread),
      runnerOver('two workers', apart, profile, 2 * scansPerThread),
    ];
    rows.push(...(await measureCorpus(many, independent, effort, expected(many))));
    for (const bytes of largeBytes) {
      const one = corpusOf(`one text of ${bytes / 1_024} KB`, cut(benignTexts, bytes, bytes), false);
      const runners = [
        runnerOver('one worker', apart, profile, 1),
        runnerOver('sharded over two', together, profile, 1),
      ];
      rows.push(...(await measureCorpus(one, runners, effort, expected(one))));
    }
    return rows;
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
  }
}

/** @returns {import('./measure.mjs').Runner} */
function runnerOver(name, pool, profile, atOnce) {
  return {
    name,
    claims: 'verdict',
    run: async ({ texts }, upTo, repeats) => {
      let next = 0;
      let matches = 0;
      const scanOn = async () => {
        while (next < upTo * repeats) {
          const content = texts[next++ % upTo];
          const { verdicts } = await pool.run({ profile, scans: [[{ role: 'user', content }]] });
          matches += verdicts[0].findings.length;
        }
      };
      const began = performance.now();
      await Promise.all(Array.from({ length: atOnce }, scanOn));
      return { ms: performance.now() - began, matches };
    },
  };
}

/** What one thread finds: shards must find the same. */
function countAlone(program, profile) {
  const scanner = createScanner(program);
  return ({ texts }) =>
    (upTo) => {
      const found = texts
        .slice(0, upTo)
        .map((content) => scanMessages(scanner, profile, [{ role: 'user', content }]).findings.length);
      return { verdict: found.reduce((sum, count) => sum + count, 0) };
    };
}
