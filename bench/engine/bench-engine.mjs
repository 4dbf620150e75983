import { fileURLToPath } from 'node:url';
import { loadCompiledRules } from '../../dist/rules/load.js';
import { measureAdversarial, measureData, measureLinearity } from './adversarial.mjs';
import { buildCorpora, textsOf } from './corpora.mjs';
import { measureFirstTime } from './first-time.mjs';
import { fullReference, merlonFull, patternsOf, regexpLoopFull, vectorscanPatterns } from './full.mjs';
import { literalEngines } from './literals.mjs';
import { measureCorpus, runnerOf } from './measure.mjs';
import { loadNpmRivals } from './npm-rivals.mjs';
import { measureParts } from './parts.mjs';
import { createReference, needleUnitsMin } from './reference.mjs';
import { startRipgrep } from './ripgrep.mjs';
import { measurePhrases, measureSizes } from './scaling.mjs';
import { measureThreads } from './threads.mjs';
import { buildVectorscan } from './vectorscan.mjs';

/**
 * The whole benchmark. Engines that are not installed or cannot take the phrases are named in `absent`.
 * @param {{ rivals: URL, ordinary: readonly import('../command.mjs').Ordinary[], literalCount: number, say: (text: string) => void,
 *   effort: { totalBytes: number, rounds: number, sampleMs: number, countMs: number,
 *   largeBuilds: number, readyMsMax: number } }} options
 */
export async function benchEngine({ rivals, ordinary, literalCount, effort, say }) {
  const rules = loadCompiledRules(fileURLToPath(new URL('../../rules/', import.meta.url)));
  const profile = rules.profiles.find(({ id }) => id === 'default');
  const needles = rules.program.needles.filter(({ length }) => length >= needleUnitsMin).slice(0, literalCount);
  const corpora = buildCorpora({ ordinary, needles, totalBytes: effort.totalBytes, say });
  const { engines, absent } = await loadNpmRivals(rivals);
  const runners = [];
  for (const engine of [...literalEngines, ...engines]) {
    try {
      const runner = runnerOf(engine.name, engine.claims, engine.prepare(needles));
      runners.push(engine.corpora ? { ...runner, corpora: engine.corpora } : runner);
    } catch (error) {
      absent.push(`${engine.name}: ${error.message}`);
    }
  }
  const full = merlonFull(rules, profile);
  const patterns = patternsOf(rules, profile);
  const loop = regexpLoopFull(patterns);
  say(`${loop.name}: ${sharesOf(loop.ready)}`);
  runners.push(full, loop);
  const vectorscan = await startVectorscan(rivals, needles, patterns, { absent, say, readyMsMax: effort.readyMsMax });
  runners.push(...vectorscan.runners);
  const ripgrep = startRipgrep(needles);
  if (ripgrep) runners.push(ripgrep);
  else absent.push('ripgrep: not installed');
  try {
    const literalsExpected = createReference(needles);
    const fullExpected = fullReference(rules, profile);
    const expectedOf = (corpus) => {
      const literals = literalsExpected(corpus);
      const findings = fullExpected(corpus);
      return (texts) => ({ ...literals(texts), ...findings(texts) });
    };
    const rows = [];
    for (const corpus of corpora) {
      say(corpus.name);
      const wanted = runners.filter(({ corpora: only }) => only === undefined || only.includes(corpus.name));
      rows.push(...(await measureCorpus(corpus, wanted, effort, expectedOf(corpus))));
    }
    say('scaling');
    const [benign] = corpora;
    const ours = runners.filter(({ name }) => name === 'merlon' || name === 'merlon-full');
    const phraseResults = await measurePhrases(textsOf(ordinary), benign, effort);
    const sizeRows = await measureSizes(benign.texts, ours, effort, expectedOf);
    say('threads');
    const threadRows = await measureThreads(benign.texts, rules, profile, effort);
    say('hostile texts');
    const hostile = await measureAdversarial(benign.texts, full, effort);
    say('data');
    const dataRows = await measureData(benign.texts, full, effort);
    const linear = await measureLinearity(benign.texts, ours, effort);
    say('messages met for the first time');
    const firstTime = measureFirstTime(rules, profile);
    const parts = ['benign-500', 'benign-16k'].map((name) => ({
      corpus: name,
      rows: measureParts(
        rules,
        profile,
        corpora.find((corpus) => corpus.name === name),
        3 * effort.rounds,
      ),
    }));
    return { rows, phraseResults, sizeRows, threadRows, hostile, data: dataRows, linear, firstTime, parts, absent };
  } finally {
    vectorscan.close();
    ripgrep?.close();
  }
}

async function startVectorscan(rivals, needles, patterns, { absent, say, readyMsMax }) {
  const built = buildVectorscan(rivals, readyMsMax);
  if (built.absent) {
    absent.push(`vectorscan: ${built.absent}`, `vectorscan-som: ${built.absent}`);
    return { runners: [], close: () => {} };
  }
  const runners = [];
  const wanted = [
    ['vectorscan', 'literals', 'every-ascii', needles],
    ['vectorscan-som', 'start-of-match', 'own', vectorscanPatterns(patterns)],
  ];
  for (const [name, mode, claims, sources] of wanted) {
    try {
      const runner = await built.start(name, mode, claims, sources);
      say(`${name}: ${sharesOf(runner.ready)}, compiled in ${Math.round(runner.ready.buildMs)} ms`);
      runners.push(runner);
    } catch (error) {
      absent.push(`${name}: ${error.message}`);
    }
  }
  return {
    runners,
    close: () => {
      for (const runner of runners) runner.close();
      built.close();
    },
  };
}

function sharesOf({ count, leftOut }) {
  return `${count - leftOut} of ${count} patterns`;
}
