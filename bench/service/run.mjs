// `merlon bench service`: the service beside bare servers, under load from a process of its own. See bench/README.md.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { print, readOptions, refuse, say } from '../command.mjs';
import { installRivals } from '../rivals.mjs';
import { isAnyNamed } from './cases.mjs';

const here = new URL('./', import.meta.url);
const cli = fileURLToPath(new URL('../../dist/cli.js', here));
const usage = `usage: merlon bench service [--json] [--quick] [--only TEXT] [--data FILE]

  --json         the record on standard output, the tables on standard error
  --quick        two rounds of short samples: some three minutes
  --only TEXT    only the groups whose name contains it: "500 B, 32", "mixed", "overload"
  --data FILE    ordinary texts, JSONL with "text" (default: rules/lists/ordinary.jsonl)
  --no-install   leave the rivals from npm alone; those that are missing are left out
`;

/** Rounds, and seconds of a sample: in a closed loop, of mixed and open load, of the warm-up of each case. */
const efforts = {
  quick: { rounds: 2, seconds: 0.5, mixedSeconds: 2, warmSeconds: 0.5 },
  thorough: { rounds: 5, seconds: 1.5, mixedSeconds: 5, warmSeconds: 1.5 },
};

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const options = readOptions(args, usage, { only: { type: 'string' } });
  if (typeof options === 'number') return options;
  if (!isAnyNamed(options.only)) return refuse(`--only: no group's name contains "${options.only}"`);
  if (process.platform !== 'linux') return refuse('it reads processor times from /proc, which only Linux has');
  if (!existsSync(cli)) return refuse('there is no build in dist: run npm run build');
  if (!options['no-install']) installRivals(['fastify'], say);
  // Loaded now, because they need the build.
  const { benchService } = await import('./bench-service.mjs');
  const { compileLoad } = await import('./load.mjs');
  const { formatReport, ratiosOf, resultsOf } = await import('./report.mjs');
  const { createSubjects } = await import('./subjects.mjs');
  const { readBuildInfo } = await import('../../dist/guard/build-info.js');
  const folder = mkdtempSync(join(tmpdir(), 'merlon-bench-'));
  const token = spawnSync(process.execPath, [cli, 'token', 'generate'], { encoding: 'utf8' }).stdout.trim();
  const running = createSubjects(folder, token);
  try {
    const program = compileLoad(join(folder, 'load'));
    if (program === undefined) return refuse('the client is a C program, and no compiler is here: apt-get install gcc');
    const effort = options.quick ? efforts.quick : efforts.thorough;
    const measured = await benchService({ ...options, program, folder, token, running, effort, progress });
    const ratios = ratiosOf(measured.rows);
    const report = formatReport({ ...measured, ratios });
    print(options.json, readBuildInfo().gitRevision, { results: resultsOf(measured.rows), ratios }, report);
    return 0;
  } finally {
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One line that is written over on a terminal, a line for each group elsewhere. */
function progress(share, what) {
  const text = `${String(Math.round(share * 100)).padStart(3)} %  ${what}`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[Kbench: ${text}${share === 1 ? '\n' : ''}`);
  else say(text);
}
