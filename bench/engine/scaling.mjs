import { createSearcher } from '../../dist/engine/automaton/searcher.js';
import { corpusOf, cut, pick, seeded, wordsOf } from './corpora.mjs';
import { counterOf, programOf } from './literals.mjs';
import { measureCorpus, median, runnerOf, significant } from './measure.mjs';
import { createReference, needleUnitsMin } from './reference.mjs';

const phraseCounts = [1_000, 10_000, 100_000];
const textSizes = [100, 500, 4_096, 16_384, 65_536, 1_048_576];

/**
 * Merlon's literal search over more and more phrases: build time, memory of the tables, speed.
 * @returns {Promise<{ phrases: number, buildMs: number, tableMB: number, row: import('./measure.mjs').Row }[]>}
 */
export async function measurePhrases(ordinary, benign, effort) {
  const results = [];
  for (const phrases of phraseCounts) {
    const needles = drawPhrases(ordinary, phrases);
    const builds = [];
    let program;
    for (let build = 0; build < (phrases < 100_000 ? 3 : effort.largeBuilds); build++) {
      const began = performance.now();
      program = programOf(needles);
      builds.push(performance.now() - began);
    }
    const corpus = { ...benign, name: `benign-16k, ${phrases} phrases`, percentiles: false };
    const runner = runnerOf('merlon', 'every', counterOf(createSearcher(program)));
    const [row] = await measureCorpus(corpus, [runner], effort, createReference(needles)(corpus));
    const tableMB = program.bytesLength / 1e6;
    results.push({ phrases, buildMs: significant(median(builds)), tableMB: significant(tableMB), row });
  }
  return results;
}

/** The literal search and the full scan over texts from 100 bytes to 1 MB; percentiles are of one call. */
export async function measureSizes(benignTexts, runners, effort, expectedOf) {
  const rows = [];
  for (const bytes of textSizes) {
    const corpus = corpusOf(`benign ${bytes} B`, cut(benignTexts, bytes, Math.max(bytes, 32_768)), true);
    rows.push(...(await measureCorpus(corpus, runners, effort, expectedOf(corpus))));
  }
  return rows;
}

/** Phrases of two to four words, all different, folded as needles must be. */
function drawPhrases(ordinary, count) {
  const random = seeded(6);
  const words = [...new Set(wordsOf(ordinary).map((word) => word.toLowerCase()))].filter((word) =>
    /^[a-z]+$/.test(word),
  );
  const phrases = new Set();
  while (phrases.size < count) {
    const phrase = Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(words, random)).join(' ');
    if (phrase.length >= needleUnitsMin) phrases.add(phrase);
  }
  return [...phrases];
}
