// `npm run check`: everything that must hold before a commit. Every step prints how much it looked at and fails when
// that was nothing. `--skip tests` leaves a step out, for callers that have just run it.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, rulesCache, say, setUp } from './setup.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const typeAware = ['typescript/no-floating-promises', 'typescript/no-misused-promises', 'typescript/await-thenable'];
const sources = () =>
  ['src', 'test', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).filter(
      (file) => /\.(tsx?|mjs)$/.test(file) && !file.includes('node_modules'),
    ),
  ).length;

/** `count` finds the number looked at in what the step prints, or gives it. */
const steps = [
  { name: 'format and lint', run: [bin('biome'), 'ci', '--colors=off', '.'], count: /Checked (\d+) files/ },
  {
    name: 'promises',
    run: [
      bin('oxlint'),
      '--type-aware',
      '-A',
      'all',
      ...typeAware.flatMap((rule) => ['-D', rule]),
      '--ignore-pattern',
      'src/engine/*/wasm',
      'src',
      'test',
    ],
    count: /on (\d+) files/,
  },
  { name: 'types of src', run: [bin('tsc'), '-p', 'tsconfig.json', '--noEmit', '--listFiles'], count: countOwnFiles },
  {
    name: 'types of the page',
    run: [bin('tsc'), '-p', 'src/dashboard/tsconfig.json', '--listFiles'],
    count: countOwnFiles,
  },
  { name: 'types of test', run: [bin('tsc'), '-p', 'test/tsconfig.json', '--listFiles'], count: countOwnFiles },
  { name: 'types of bench', run: [bin('tsc'), '-p', 'bench/tsconfig.json', '--listFiles'], count: countOwnFiles },
  { name: 'import direction', run: [bin('depcruise'), 'src'], count: /(\d+) modules/ },
  { name: 'dead code', run: [bin('knip')], count: sources },
  {
    name: 'case folding fresh',
    run: [process.execPath, 'scripts/generate/casefold.mjs', '--check'],
    count: /(\d+) foldings/,
  },
  {
    name: 'confusables fresh',
    run: [process.execPath, 'scripts/generate/confusables.mjs', '--check'],
    count: /(\d+) characters/,
  },
  {
    name: 'kernel fresh',
    run: [process.execPath, 'scripts/generate/kernel.mjs', '--check'],
    count: /(\d+) bytes/,
  },
  {
    name: 'lock complete',
    run: [process.execPath, 'scripts/generate/lock.mjs', '--check'],
    count: /(\d+) optional/,
  },
  {
    name: 'notices fresh',
    run: [process.execPath, 'scripts/generate/notices.mjs', '--check'],
    count: /(\d+) packages/,
  },
  { name: 'rules', run: [process.execPath, 'dist/cli.js', 'rules', 'check'], count: /(\d+) examples/ },
  { name: 'regression', run: [process.execPath, 'scripts/regression.mjs'], count: /(\d+) messages/ },
  { name: 'tests', run: [process.execPath, 'node_modules/vitest/vitest.mjs', 'run'], count: /Tests .*?(\d+) passed/ },
];

setUp();
const skipped = new Set(process.argv.flatMap((argument, at, all) => (all[at - 1] === '--skip' ? [argument] : [])));
let failed = 0;
for (const step of steps.filter(({ name }) => !skipped.has(name))) {
  const { ok, count, output } = look(step);
  process.stdout.write(`${ok ? 'ok  ' : 'FAIL'}  ${step.name.padEnd(18)} ${count}\n`);
  if (ok) continue;
  failed++;
  // Without the lists of files that were looked at.
  const said = output.split('\n').filter((line) => !line.startsWith(root) || line.includes(':'));
  const tail = said.slice(-60).join('\n');
  process.stdout.write(count === 0 ? `      it looked at nothing\n${tail}` : tail);
}
if (failed > 0) say(`${failed} steps failed`);
process.exit(failed > 0 ? 1 : 0);

function look({ run: [command, ...args], count }) {
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NO_COLOR: '1', MERLON_CACHE: rulesCache },
  });
  const output = `${result.stdout}${result.stderr}`;
  const looked = count instanceof RegExp ? Number(count.exec(output)?.[1] ?? 0) : count(output);
  return { ok: result.status === 0 && looked > 0, count: looked, output };
}

function countOwnFiles(output) {
  return output.split('\n').filter((line) => /\.(tsx?|mjs)$/.test(line) && !line.includes('node_modules')).length;
}
