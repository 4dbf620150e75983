import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from './terminal.js';

/** The benchmarks live beside the sources and are not part of the installed package. */
const runners: ReadonlyMap<string, string> = new Map([
  ['engine', fileURLToPath(new URL('../../bench/run.mjs', import.meta.url))],
  ['service', fileURLToPath(new URL('../../bench/service/run.mjs', import.meta.url))],
]);

export interface BenchOptions {
  readonly json?: true;
  readonly quick?: true;
  readonly data?: string;
  readonly only?: string;
  /** False where rivals from npm shall not be installed. */
  readonly install: boolean;
}

/** `merlon bench engine|service`: runs a benchmark in a process of its own and gives its exit code. Throws `UsageError`. */
export async function bench(subject: string, options: BenchOptions): Promise<number> {
  const runner = runners.get(subject);
  if (runner === undefined) {
    const known = [...runners.keys()].join(', ');
    throw new UsageError(`SUBJECT: there is no benchmark "${subject}"; there are ${known}`);
  }
  if (options.only !== undefined && subject !== 'service')
    throw new UsageError('--only is for the benchmark "service"');
  if (!existsSync(runner)) throw new UsageError('the benchmarks are not here: run them in a clone of the sources');
  const args = [
    ...(options.json ? ['--json'] : []),
    ...(options.quick ? ['--quick'] : []),
    ...(options.data === undefined ? [] : ['--data', options.data]),
    ...(options.only === undefined ? [] : ['--only', options.only]),
    ...(options.install ? [] : ['--no-install']),
  ];
  const child = spawn(process.execPath, [runner, ...args], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 2;
}
