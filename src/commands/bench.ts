import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from './terminal.js';

/** The benchmarks live beside the sources and are not part of the installed package. */
const runner = fileURLToPath(new URL('../../bench/run.mjs', import.meta.url));

export interface BenchOptions {
  readonly json?: true;
  readonly quick?: true;
  readonly data?: string;
}

/** `merlon bench engine`: runs the benchmark in a process of its own and gives its exit code. Throws `UsageError`. */
export async function bench(subject: string, options: BenchOptions): Promise<number> {
  if (subject !== 'engine') throw new UsageError(`SUBJECT: there is no benchmark "${subject}"; there is engine`);
  if (!existsSync(runner)) throw new UsageError('the benchmarks are not here: run them in a clone of the sources');
  const args = [
    ...(options.json ? ['--json'] : []),
    ...(options.quick ? ['--quick'] : []),
    ...(options.data === undefined ? [] : ['--data', options.data]),
  ];
  const child = spawn(process.execPath, [runner, ...args], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 2;
}
