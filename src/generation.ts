import type { Config } from './config.js';
import type { Recall } from './engine/judge/recall.js';
import { createScanner, type Scanner } from './engine/scanner.js';
import { warmViews } from './engine/view/match-views.js';
import { createAssignedProfile } from './guard/assigned-profile.js';
import type { BuildInfo } from './guard/build-info.js';
import { createExplain, type Explain } from './guard/explain.js';
import type { Guard } from './guard/guard.js';
import { createInspector } from './guard/inspector.js';
import { createOrganizationProfiles, type OrganizationProfiles } from './guard/organization-profiles.js';
import type { OrganizationRules } from './guard/organization-rules.js';
import { createOverlays, type Overlays } from './guard/overlays.js';
import { createPreview, type PreviewChanges } from './guard/preview.js';
import { createProfiles } from './guard/profiles.js';
import type { Recorder } from './guard/recorder.js';
import { createRedactor, type Redact } from './guard/redactor.js';
import { createRuleBook, type RuleBook } from './guard/rule-book.js';
import { createGuardService, type GuardMemory } from './guard/service.js';
import { createTextKeeper } from './guard/text-keeper.js';
import type { Pool } from './pool/pool.js';
import type { RulesCompiler } from './pool/rules-compiler.js';
import type { CompiledRules } from './rules/load.js';
import type { Store } from './store/store.js';
import { systemClock } from './telemetry/clock.js';
import { describeError, type Logger } from './telemetry/log.js';

/**
 * Everything that is made of one state of the rules and shipped profiles. A request that has begun with one ends with it,
 * so an answer never mixes two; what is replaced is freed when the last scan that uses it is done.
 */
export interface Generation {
  /** 0 for the rules of the start, then counted up. */
  readonly number: number;
  readonly rules: CompiledRules;
  readonly scanner: Scanner;
  readonly guard: Guard;
  readonly explain: Explain;
  readonly preview: PreviewChanges;
  readonly profiles: OrganizationProfiles;
  readonly overlays: Overlays;
  readonly ruleBook: RuleBook;
  readonly redact: Redact;
  /** Scans, explanations and previews under way that wait for something. */
  running(): number;
}

/** What generations share. */
export interface Surroundings {
  readonly config: Pick<Config, 'engine' | 'inlineUnitsMax'>;
  readonly store: Store;
  readonly pool: Pool;
  readonly compiler: Pick<RulesCompiler, 'knowing'>;
  readonly customRules: OrganizationRules;
  readonly memory: GuardMemory;
  /** What is known to be clean; undefined where nothing is to be remembered. */
  readonly recall: Recall | undefined;
  readonly build: BuildInfo;
  readonly recorder: Recorder;
  readonly storeFailed: (error: unknown) => void;
  readonly onStage: (stage: 'scan' | 'record') => void;
  readonly log: Logger;
}

/** Costs the calling thread some 20 ms: the scan that fills the tables of the views is done here. */
export function createGeneration(number: number, rules: CompiledRules, shared: Surroundings): Generation {
  const { config, store, log, build } = shared;
  const { program } = rules;
  const scanner = createScanner(program, { engine: config.engine });
  if (config.engine === 'auto' && scanner.machinery.searcher.kind === 'js') {
    log.warn('WebAssembly threads are missing: scans take many times as long', { generation: number });
  }
  warmViews(scanner);
  const pool = number === 0 ? shared.pool : shared.pool.over({ generation: number, memory: program.memory });
  const compiler = shared.compiler.knowing(program.rules.map(({ id }) => id));
  const inspector = createInspector(scanner, () => pool, {
    inlineUnitsMax: config.inlineUnitsMax,
    recall: shared.recall,
  });
  const overlays = createOverlays({
    store,
    compiler,
    program,
    engine: config.engine,
    clock: systemClock,
    failed: (error) => log.error('rules of an organization could not be opened', { error: describeError(error) }),
  });
  const profiles = createProfiles({ store, program, shipped: rules.profiles });
  const assignedProfile = createAssignedProfile(store, profiles);
  const keepText = createTextKeeper(scanner);
  const { memory, recorder, storeFailed, onStage } = shared;
  const clock = systemClock;
  const guard = createGuardService({
    store,
    program,
    assignedProfile,
    inspector,
    overlays,
    keepText,
    clock,
    build,
    recorder,
    storeFailed,
    memory,
    onStage,
  });
  const ruleBook = createRuleBook(program);
  const explain = createExplain({
    store,
    program,
    profiles,
    assignedProfile,
    inspector,
    overlays,
    ruleBook,
    clock,
  });
  const { customRules } = shared;
  const preview = createPreview({ store, guard, program, profiles, overlays, customRules, pool, clock });

  let running = 0;
  const counted = <T>(outcome: Promise<T>): Promise<T> => {
    running++;
    return outcome.finally(() => {
      running--;
    });
  };
  return {
    number,
    rules,
    scanner,
    guard: {
      ...guard,
      scan: (principal, request) => {
        const outcome = guard.scan(principal, request);
        return outcome instanceof Promise ? counted(outcome) : outcome;
      },
    },
    explain: (principal, request) => counted(explain(principal, request)),
    preview: (principal, request) => counted(preview(principal, request)),
    profiles: createOrganizationProfiles(rules.profiles),
    overlays,
    ruleBook,
    redact: createRedactor(scanner, (organizationId) => overlays.peek(organizationId, clock.nowUs()), shared.recall),
    running: () => running,
  };
}
