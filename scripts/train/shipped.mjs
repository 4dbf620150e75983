// Makes the shipped models anew: node scripts/train/shipped.mjs [--only shipped-agents] <labelled data …> (files or folders of JSON
// lines; see docs/learned.md). Some minutes for each on two cores, 2 GB of memory; the same data give the same bytes.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { attacksOnly } from './attacks-only.mjs';
import { ordinaryCode } from './ordinary-code.mjs';

/** What of our own each of them learns from besides. */
const shipped = {
  shipped: ['--prompts'],
  'shipped-payloads': [],
  'shipped-tools': ['--planted'],
  'shipped-agents': ['--agents', '--prompts'],
  'shipped-deeds': ['--agents', '--business', '--prompts'],
  'shipped-leaks': ['--planted', '--by-author'],
};

const { values, positionals: data } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const names = values.only === undefined ? Object.keys(shipped) : [values.only];
if (data.length === 0 || names.some((name) => !(name in shipped))) {
  process.stderr.write(
    `usage: node scripts/train/shipped.mjs [--only ${Object.keys(shipped).join('|')}] <labelled data …>\n`,
  );
  process.exit(2);
}
const linesFrom = (samples) => [...samples].map((sample) => `${JSON.stringify(sample)}\n`).join('');
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'merlon-train-'));
try {
  for (const name of names) {
    const own = join(folder, `${name}.jsonl`);
    const texts = [here('own-texts.mjs'), ...shipped[name]];
    writeFileSync(own, execFileSync(process.execPath, texts, { maxBuffer: 64 * 1024 * 1024 }));
    const isOfAttacks = name === 'shipped-leaks';
    if (isOfAttacks) writeFileSync(own, linesFrom(attacksOnly([own, ...data])));
    else appendFileSync(own, linesFrom(ordinaryCode()));
    const { status } = spawnSync(
      process.execPath,
      [
        ...['--max-old-space-size=6144', here('../../dist/cli.js'), 'train', '--recipe', here(`${name}.yaml`)],
        ...['--out', here(`../../rules/models/${name}.model`), '--data', own, ...(isOfAttacks ? [] : data)],
      ],
      { stdio: 'inherit' },
    );
    if (status !== 0) {
      process.exitCode = status ?? 1;
      break;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
