import { fileURLToPath } from 'node:url';
import type { ResourceLimits } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import type { CustomRules, CustomRulesReport } from '../domain/custom-rules.js';
import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import { loadPiscina } from './piscina.js';
import type { CompileAnswer, CompilerData, CompileTask, LoadedRules } from './protocol.js';

/**
 * Compiles rules, those of organizations and the shipped ones anew, on a thread of its own, which is started when first needed and ends when idle. All
 * methods reject with `overloaded` when too many compilations wait, with `deadline` where one takes too long (the
 * thread is then stopped), with `worker_lost` when it runs out of memory, with `draining` after `close`.
 */
export interface RulesCompiler {
  /** All problems, and the program where none of them is an error; every rule must have its id. */
  check(rules: CustomRules): Promise<{ readonly report: CustomRulesReport; readonly program?: WebAssembly.Memory }>;
  /** The program of rules that were saved, from the cache on disk where it is there; undefined where they do not compile. */
  open(rules: CustomRules): Promise<WebAssembly.Memory | undefined>;
  /** The shipped rules as they are written now, from the cache where they were compiled before; takes up to `limits.compileMs`. */
  load(): Promise<LoadedRules>;
  /** The same for allow-lists that may name other shipped rules. */
  knowing(shippedIds: readonly string[]): Pick<RulesCompiler, 'check' | 'open'>;
  close(): Promise<void>;
}

export interface RulesCompilerOptions extends CompilerData {
  /** Ids that an allow-list may name beside an organization's own. */
  readonly shippedIds: readonly string[];
  readonly deadlineMs?: number;
  readonly queueMax?: number;
  /** The compiled worker; tests that run from sources name the built one. */
  readonly workerFile?: URL;
  readonly resourceLimits?: ResourceLimits;
}

/** Room for the largest rules that are allowed, several times over. */
const memoryMb = 512;
const idleMs = 30_000;

export function createRulesCompiler(options: RulesCompilerOptions): RulesCompiler {
  const deadlineMs = options.deadlineMs ?? limits.customCompileMs;
  const queueMax = options.queueMax ?? limits.customCompileQueueMax;
  const { rulesFolder, cache, shippedCache } = options;
  const workerData: CompilerData = { rulesFolder, cache, shippedCache };
  let piscina: Piscina<CompileTask, CompileAnswer> | undefined;
  let closing: Promise<void> | undefined;
  let admitted = 0;

  const start = (): Piscina<CompileTask, CompileAnswer> => {
    const library = loadPiscina();
    const started = new library.Piscina<CompileTask, CompileAnswer>({
      filename: fileURLToPath(options.workerFile ?? new URL('./compile-worker.js', import.meta.url)),
      workerData,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      concurrentTasksPerWorker: 1,
      recordTiming: false,
      taskQueue: new library.FixedQueue(),
      resourceLimits: options.resourceLimits ?? { maxOldGenerationSizeMb: memoryMb },
    });
    // Failures reach whoever awaits the task.
    started.on('error', () => {});
    return started;
  };

  const run = async (task: CompileTask, longestMs = deadlineMs): Promise<CompileAnswer> => {
    if (closing) throw new GuardError('draining', 'The service is shutting down.');
    if (admitted >= queueMax) throw new GuardError('overloaded', 'Too many rule sets wait to be compiled.');
    piscina ??= start();
    const signal = AbortSignal.timeout(longestMs);
    admitted++;
    try {
      return await piscina.run(task, { signal });
    } catch (error) {
      if (signal.aborted) throw new GuardError('deadline', `The rules took longer than ${longestMs} ms to compile.`);
      throw new GuardError('worker_lost', lossOf(error), [], { cause: error });
    } finally {
      admitted--;
    }
  };

  const knowing: RulesCompiler['knowing'] = (shippedIds) => ({
    check: async (rules) => {
      const { report, program } = await run({ kind: 'check', rules, shippedIds });
      if (!report) throw new Error('a check came back without its report');
      return program ? { report, program } : { report };
    },
    open: async (rules) => (await run({ kind: 'open', rules, shippedIds })).program,
  });

  return {
    ...knowing(options.shippedIds),
    knowing,
    load: async () => {
      const { loaded } = await run({ kind: 'load' }, limits.compileMs);
      if (!loaded) throw new Error('rules were loaded without an outcome');
      return loaded;
    },
    close: () => {
      closing ??= piscina?.close() ?? Promise.resolve();
      return closing;
    },
  };
}

/** Why the thread was lost, in words for whoever wrote the rules. */
function lossOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? 'The rules take more memory to compile than there is for it: shorten the longest phrases and repetitions.'
    : 'The rules could not be compiled.';
}
