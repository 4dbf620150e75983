import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A process of our own that runs a script of `children/` and prints JSON lines. */
export interface Child {
  readonly process: ChildProcess;
  /** The lines so far; it grows. */
  readonly lines: readonly unknown[];
  /** Resolves once the child has printed this many lines; rejects when it ends before. */
  printed(count: number): Promise<void>;
  /** Resolves when the child is gone and its output is read. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly errors: string }>;
}

/**
 * Starts `children/<script>.ts` with these arguments. Where `fileBytesMax` is given, the system refuses it every write
 * behind that offset of any file, as a full disk would.
 */
export function startChild(script: string, args: readonly string[], fileBytesMax?: number): Child {
  const path = fileURLToPath(new URL(`children/${script}.ts`, import.meta.url));
  const node = [process.execPath, '--import', 'tsx', path, ...args];
  // POSIX: `ulimit -f` counts blocks of 512 bytes.
  const limited = ['/bin/sh', '-c', `ulimit -f ${Math.floor((fileBytesMax ?? 0) / 512)}; exec "$@"`, 'sh', ...node];
  const [command, ...rest] = fileBytesMax === undefined ? node : limited;
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));

  const lines: unknown[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void; readonly reject: (error: Error) => void }[] =
    [];
  let errors = '';
  let isOver = false;
  child.stderr.on('data', (text) => {
    errors += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line));
    for (const { count, resolve } of waiting) if (lines.length >= count) resolve();
  });
  const ended = new Promise<{ code: number | null; signal: string | null; errors: string }>((resolve) => {
    child.on('close', (code, signal) => {
      isOver = true;
      for (const { reject } of waiting) reject(new Error(`The child ended early: ${errors}`));
      resolve({ code, signal, errors });
    });
  });

  return {
    process: child,
    lines,
    ended,
    printed: (count) =>
      new Promise((resolve, reject) => {
        if (lines.length >= count) resolve();
        else if (isOver) reject(new Error(`The child had ended: ${errors}`));
        else waiting.push({ count, resolve, reject });
      }),
  };
}
