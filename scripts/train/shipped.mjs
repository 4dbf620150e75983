// Makes the shipped model anew: node scripts/train/shipped.mjs <labelled data …> (files or folders of JSON lines; see
// docs/learned.md). Some minutes on two cores, 2 GB of memory; the same data give the same bytes.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ordinaryCode } from './ordinary-code.mjs';

const data = process.argv.slice(2);
if (data.length === 0) {
  process.stderr.write('usage: node scripts/train/shipped.mjs <labelled data …>\n');
  process.exit(2);
}
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'merlon-train-'));
try {
  const own = join(folder, 'own.jsonl');
  writeFileSync(own, execFileSync(process.execPath, [here('own-texts.mjs')], { maxBuffer: 64 * 1024 * 1024 }));
  for (const sample of ordinaryCode()) appendFileSync(own, `${JSON.stringify(sample)}\n`);
  const { status } = spawnSync(
    process.execPath,
    [
      ...['--max-old-space-size=6144', here('../../dist/cli.js'), 'train', '--recipe', here('shipped.yaml')],
      ...['--out', here('../../rules/models/shipped.model'), '--data', own, ...data],
    ],
    { stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
