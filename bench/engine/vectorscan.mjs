import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * Debian's libvectorscan, through `bench/rivals/vectorscan.c`. Undefined with a reason where there is no compiler or
 * no library: that fails nothing.
 * @param {URL} folder `bench/rivals/`
 * @param {number} readyMsMax longest wait for it to compile its patterns
 */
export function buildVectorscan(folder, readyMsMax) {
  const work = mkdtempSync(join(tmpdir(), 'merlon-bench-'));
  const close = () => rmSync(work, { recursive: true, force: true });
  const program = join(work, 'vectorscan');
  const source = fileURLToPath(new URL('vectorscan.c', folder));
  const built = spawnSync('cc', ['-O3', '-Wall', '-o', program, source, '-lhs'], { encoding: 'utf8' });
  if (built.status !== 0) {
    close();
    return { absent: `not installed (${built.error ? 'no C compiler' : 'no libvectorscan-dev'})` };
  }
  return {
    start: (name, mode, claims, patterns) => start({ work, program, readyMsMax }, name, mode, claims, patterns),
    close,
  };
}

/** Resolves to a runner with `ready` (what it said of its patterns) and `close`. Rejects when it cannot compile them. */
async function start({ work, program, readyMsMax }, name, mode, claims, patterns) {
  const file = join(work, mode);
  writeFileSync(file, packTexts(patterns));
  const child = spawn(program, [mode, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`it ended: out of time (${readyMsMax / 1_000} s) or refused its patterns`);
    return value.trim().split(' ');
  };
  const ask = (command) => {
    child.stdin.write(`${command}\n`);
    return answer();
  };
  const timer = setTimeout(() => child.kill(), readyMsMax);
  const [, count, leftOut, buildMs, bytes] = await answer().finally(() => clearTimeout(timer));
  let loaded;
  const load = async (corpus) => {
    if (loaded === corpus) return;
    const corpusFile = join(work, `${mode}.corpus`);
    writeFileSync(corpusFile, packTexts(corpus.texts));
    await ask(`load ${corpusFile}`);
    loaded = corpus;
  };
  return {
    name,
    claims,
    ready: { count: Number(count), leftOut: Number(leftOut), buildMs: Number(buildMs), bytes: Number(bytes) },
    run: async (corpus, texts, repeats) => {
      await load(corpus);
      const [ns, matches] = await ask(`run ${texts} ${repeats}`);
      return { ms: Number(ns) / 1e6, matches: Number(matches) };
    },
    times: async (corpus, texts) => {
      await load(corpus);
      return (await ask(`times ${texts}`)).map((ns) => Number(ns) / 1_000);
    },
    close: () => child.stdin.end(),
  };
}

function packTexts(texts) {
  return Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}
