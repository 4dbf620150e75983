// `merlon bench engine`: the engine beside its rivals, in one process and one run. See bench/README.md.
import { existsSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installRivals } from './rivals.mjs';

const here = new URL('./', import.meta.url);
const rivals = new URL('rivals/', here);
const usage = `usage: merlon bench engine [--json] [--quick] [--data FILE] [--no-install]

  --json         the record on standard output, the tables on standard error
  --quick        fewer rounds over smaller corpora: less than a minute
  --data FILE    ordinary texts, JSONL with "text" (default: the sample in bench/corpora)
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
  const options = read(args);
  if (typeof options === 'number') return options;
  if (!existsSync(new URL('../dist/engine/scanner.js', here))) {
    process.stderr.write('There is no build in dist: run npm run build.\n');
    return 2;
  }
  if (options.install) installRivals(['modern-ahocorasick'], say);
  // Loaded now, because they need the build and the rivals.
  const { benchEngine } = await import('./engine/bench-engine.mjs');
  const { formatReport, ratiosOf, wrongRows } = await import('./engine/report.mjs');
  const { readBuildInfo } = await import('../dist/guard/build-info.js');
  const effort = options.quick ? efforts.quick : efforts.thorough;
  const measured = await benchEngine({ rivals, data: options.data, literalCount, effort, say });
  const ratios = ratiosOf(measured);
  const report = formatReport({ ...measured, ratios });
  const all = [
    ...measured.rows,
    ...measured.phraseResults.map(({ row }) => row),
    ...measured.sizeRows,
    ...measured.threadRows,
  ];
  if (options.json) {
    const results = all.map(({ counted, expected, ...row }) => row);
    const machine = `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} threads, ${process.platform} ${process.arch}, Node ${process.version}`;
    const record = {
      machine,
      commit: readBuildInfo().gitRevision,
      results,
      ratios,
      hostile: measured.hostile,
      linear: measured.linear,
      parts: measured.parts,
    };
    process.stdout.write(`${JSON.stringify(record, null, 2)}\n`);
    process.stderr.write(report);
  } else process.stdout.write(report);
  const wrong = wrongRows(all);
  for (const { corpus, engine, matches, expected } of wrong) {
    say(`${engine} on ${corpus}: ${matches} matches, expected ${expected}`);
  }
  return wrong.length > 0 ? 1 : 0;
}

/** Options, or the exit code where there is nothing to run. */
function read(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        json: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        data: { type: 'string' },
        'no-install': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(usage);
      return 0;
    }
    const data = values.data ?? fileURLToPath(new URL('../rules/lists/ordinary.jsonl', here));
    if (!existsSync(data)) {
      process.stderr.write(`--data: there is no file ${data}\n`);
      return 2;
    }
    return { json: values.json, quick: values.quick, data, install: !values['no-install'] };
  } catch (error) {
    process.stderr.write(`${error.message}\n${usage}`);
    return 2;
  }
}

function say(text) {
  process.stderr.write(`bench: ${text}\n`);
}
