import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { GuardError } from './domain/errors.js';
import { limits } from './domain/limits.js';
import { decodeProgram } from './engine/program-layout.js';
import type { Generation } from './generation.js';
import { createOpenPrograms } from './pool/open-programs.js';
import type { RulesCompiler } from './pool/rules-compiler.js';
import type { CompiledRules } from './rules/load.js';
import type { RulesError } from './rules/rules-error.js';
import { describeError, LoggedText, type Logger } from './telemetry/log.js';

/** What a reload published. */
export interface Reloaded {
  readonly generation: number;
  readonly rules: number;
  readonly profiles: number;
}

/** The generation of the rules that answers, and the way to the next one. */
export interface Generations {
  readonly current: Generation;
  /**
   * Reads rules and shipped profiles anew, compiles them on another thread, and publishes them. The promise is for rules as
   * they are written when this is called, or later: calls that come while one waits share it. Rejects with `invalid_input`
   * that names every error with its place in the files, or profiles that are assigned and would be missing, and then nothing
   * has changed; with `deadline`, `worker_lost`, `StoreError`.
   */
  reload(): Promise<Reloaded>;
}

/** Why rules cannot be published: an error in a file, or of the folder as a whole. */
interface RulesFault {
  /** `file:line:column`; empty where it lies in no file. */
  readonly place: string;
  readonly code?: string;
  readonly message: string;
}

export interface GenerationsOptions {
  readonly first: Generation;
  readonly create: (number: number, rules: CompiledRules) => Generation;
  readonly compiler: Pick<RulesCompiler, 'load'>;
  /** Why rules that are sound in themselves cannot take the place of those before. Throws `StoreError`. */
  readonly faultsOf?: (rules: CompiledRules, before: CompiledRules) => readonly RulesFault[];
  /** Puts it to use on the other threads of the front end. */
  readonly publish?: (next: Generation) => Promise<void>;
  readonly log: Logger;
}

/** Longest line of the log about one error. */
const problemUnitsMax = 500;

/** How often a reload looks whether scans with former rules are done. */
const settleMs = 5;

export function createGenerations(options: GenerationsOptions): Generations {
  const { first, create, compiler, faultsOf, publish, log } = options;
  let current = first;
  /** Counted up even where a generation does not come about: some thread may know its number already. */
  let lastNumber = first.number;
  let before: readonly Generation[] = [];
  let running: Promise<unknown> = Promise.resolve();
  const programs = createOpenPrograms();
  programs.open(first.rules.program.memory);
  let waiting: Promise<Reloaded> | undefined;

  /** Scans end within their deadline, so this does, too. */
  const roomForOneMore = async (): Promise<void> => {
    for (;;) {
      before = before.filter((generation) => generation.running() > 0);
      if (before.length < limits.generationsBeforeMax) return;
      await delay(settleMs);
    }
  };

  const reload = async (): Promise<Reloaded> => {
    const loaded = await compiler.load();
    if ('refused' in loaded) throw new RefusedRules(faultsIn(loaded.refused));
    await roomForOneMore();
    // Each step holds the serving thread for some milliseconds; requests get their turn in between.
    await nextTurn();
    programs.open(loaded.program);
    const program = decodeProgram(loaded.program);
    await nextTurn();
    const rules = { program, profiles: loaded.profiles };
    // As late as can be: profiles may have been assigned since this began.
    const faults = faultsOf?.(rules, current.rules) ?? [];
    if (faults.length > 0) throw new RefusedRules(faults);
    lastNumber++;
    const next = create(lastNumber, rules);
    await next.overlays.takeOver(current.overlays);
    await publish?.(next);
    before = [...before, current];
    current = next;
    const outcome = { generation: next.number, rules: program.rules.length, profiles: loaded.profiles.length };
    log.info('the rules were reloaded', { generation: next.number, count: program.rules.length });
    return outcome;
  };

  const logFailure = (error: unknown): void => {
    if (!(error instanceof RefusedRules)) {
      const code = error instanceof GuardError ? { code: error.code } : {};
      log.error('the rules were not reloaded', { ...code, error: describeError(error) });
      return;
    }
    for (const fault of error.faults.slice(0, limits.problemErrorsMax)) {
      log.error('the rules were not reloaded', { problem: new LoggedText(faultText(fault), problemUnitsMax) });
    }
  };

  return {
    get current() {
      return current;
    },
    reload: () => {
      if (waiting) return waiting;
      const turn = running.then(() => {
        waiting = undefined;
        return reload();
      });
      turn.catch(logFailure);
      waiting = turn;
      running = turn.catch(() => {});
      return turn;
    },
  };
}

function faultsIn({ message, diagnostics }: Pick<RulesError, 'message' | 'diagnostics'>): readonly RulesFault[] {
  if (diagnostics.length === 0) return [{ place: '', message }];
  return diagnostics.map(({ file, line, column, code, message: told }) => ({
    place: `${file}:${line}:${column}`,
    code,
    message: told,
  }));
}

/** What is wrong, and where, in one line. */
function faultText({ place, code, message }: RulesFault): string {
  return [place, code, message].filter(Boolean).join(' ');
}

/** The rule files have errors. */
class RefusedRules extends GuardError {
  readonly faults: readonly RulesFault[];

  constructor(faults: readonly RulesFault[]) {
    const count = faults.length === 1 ? '1 error' : `${faults.length} errors`;
    const fields = faults
      .slice(0, limits.problemErrorsMax)
      .map(({ place, code, message }) => ({ pointer: place, message, ...(code === undefined ? {} : { code }) }));
    super('invalid_input', `The rule files have ${count}; nothing was changed.`, fields);
    this.faults = faults;
  }
}
