// `merlon bench engine`: the engine beside its rivals, in one process and one run. See bench/README.md.
import { existsSync } from 'node:fs';
import { print, readOptions, refuse, say } from './command.mjs';
import { installRivals } from './rivals.mjs';

const here = new URL('./', import.meta.url);
const rivals = new URL('rivals/', here);
const usage = `usage: merlon bench engine [--json] [--quick] [--data FILE] [--no-install]

  --json         the record on standard output, the tables on standard error
  --quick        fewer rounds over smaller corpora: less than a minute
  --data FILE    ordinary texts, JSONL with "text" (default: rules/lists/ordinary.jsonl)
  --no-install   leave the rivals from npm alone; those that are missing are left out
`;

/** Corpus bytes; rounds; milliseconds of a timed sample, of the count before, of Vectorscan's compilation at the most. */
const efforts = {
  quick: { totalBytes: 65_536, rounds: 3, sampleMs: 10, countMs: 150, largeBuilds: 1, readyMsMax: 12_000 },
  thorough: { totalBytes: 524_288, rounds: 9, sampleMs: 60, countMs: 4_000, largeBuilds: 3, readyMsMax: 180_000 },
};
const literalCount = 1_600;

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const options = readOptions(args, usage);
  if (typeof options === 'number') return options;
  if (!existsSync(new URL('../dist/engine/scanner.js', here)))
    return refuse('there is no build in dist: run npm run build');
  if (!options['no-install']) installRivals(['modern-ahocorasick'], say);
  // Loaded now, because they need the build and the rivals.
  const { benchEngine } = await import('./engine/bench-engine.mjs');
  const { formatReport, ratiosOf, wrongRows } = await import('./engine/report.mjs');
  const { readBuildInfo } = await import('../dist/guard/build-info.js');
  const effort = options.quick ? efforts.quick : efforts.thorough;
  const measured = await benchEngine({ rivals, ordinary: options.ordinary, literalCount, effort, say });
  const ratios = ratiosOf(measured);
  const report = formatReport({ ...measured, ratios });
  const all = [
    ...measured.rows,
    ...measured.phraseResults.map(({ row }) => row),
    ...measured.sizeRows,
    ...measured.threadRows,
  ];
  const results = all.map(({ counted, expected, ...row }) => row);
  const { hostile, data, linear, firstTime, parts } = measured;
  print(
    options.json,
    readBuildInfo().gitRevision,
    { results, ratios, hostile, data, linear, firstTime, parts },
    report,
  );
  const wrong = wrongRows(all);
  for (const { corpus, engine, matches, expected } of wrong) {
    say(`${engine} on ${corpus}: ${matches} matches, expected ${expected}`);
  }
  return wrong.length > 0 ? 1 : 0;
}
