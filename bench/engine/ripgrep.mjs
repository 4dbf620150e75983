import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes that one timed run searches at least, so that its start hardly matters; the start is measured and taken off. */
const runBytesMin = 16 << 20;

/**
 * ripgrep over files, one text a line. Undefined where it is not installed.
 * @param {readonly string[]} needles
 * @returns {(import('./measure.mjs').Runner & { close: () => void }) | undefined}
 */
export function startRipgrep(needles) {
  if (spawnSync('rg', ['--version']).status !== 0) return undefined;
  const work = mkdtempSync(join(tmpdir(), 'merlon-bench-'));
  const phrases = join(work, 'phrases');
  const empty = join(work, 'empty');
  const file = join(work, 'texts');
  writeFileSync(phrases, `${needles.join('\n')}\n`);
  writeFileSync(empty, '\n');
  const search = (where) => {
    const args = ['--no-config', '-a', '-F', '-i', '-f', phrases, '--count-matches', where];
    const began = performance.now();
    const { status, stdout, stderr } = spawnSync('rg', args, { encoding: 'utf8' });
    const ms = performance.now() - began;
    // 1 is ripgrep's word for "nothing found".
    if (status !== 0 && status !== 1) throw new Error(`ripgrep: ${stderr}`);
    return { ms, matches: Number(stdout.trim() || 0) };
  };
  const startMs = Math.min(...Array.from({ length: 5 }, () => search(empty).ms));
  let written = '';
  let copies = 0;
  return {
    name: 'ripgrep',
    claims: 'leftmost',
    run: ({ name, texts }, upTo, repeats) => {
      if (written !== `${name} ${upTo}`) {
        const once = `${texts.slice(0, upTo).join('\n')}\n`;
        copies = Math.ceil(runBytesMin / Buffer.byteLength(once));
        writeFileSync(file, once.repeat(copies));
        written = `${name} ${upTo}`;
      }
      const { ms, matches } = search(file);
      const share = repeats / copies;
      return { ms: Math.max(0.001, ms - startMs) * share, matches: Math.round(matches * share) };
    },
    close: () => rmSync(work, { recursive: true, force: true }),
  };
}
