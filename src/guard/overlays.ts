import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { AllowedPhrase, CustomRules } from '../domain/custom-rules.js';
import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import type { Engine } from '../engine/automaton/searcher.js';
import { type Allowance, type Overlay, type OverlayParts, openOverlay } from '../engine/overlay.js';
import type { Program } from '../engine/program.js';
import type { RulesCompiler } from '../pool/rules-compiler.js';
import { type Store, StoreError } from '../store/store.js';
import type { Clock } from '../telemetry/clock.js';
import { watchGeneration } from './watch-generation.js';

/** The rules of organizations, opened for scans. */
export interface Overlays {
  /**
   * What a scan of this organization uses beside the shipped rules; undefined where it has none of its own, which costs
   * one look into a map. `nowUs` is the clock's time. A change counts with the next scan, one by another process from the next
   * turn of the event loop on (`Store.version`). While changed rules are being opened the ones before go on; where there are none before,
   * a promise for them. Throws or rejects with `rules_unavailable`, `overloaded`, `store_unavailable`: an organization
   * that has rules is never scanned without.
   */
  of(organizationId: string, nowUs: number): Overlay | undefined | Promise<Overlay | undefined>;
  /** The same without waiting and without opening anything: `closed` where it is not known or not open now. Never throws. */
  peek(organizationId: string, nowUs: number): Overlay | undefined | 'closed';
  /** Opens over this program, one a turn of the event loop, what is open over another: for the generation that follows it. */
  takeOver(before: Overlays): Promise<void>;
  /** What is open now, the one used longest ago last. */
  opened(): readonly OpenRules[];
  /** Opens rules that are about to be saved, so that the first scan after it need not wait. */
  prepare(rules: VersionedRules, program: WebAssembly.Memory): void;
}

interface OpenRules {
  readonly rules: VersionedRules;
  readonly overlay: Overlay;
}

/** Rules with the name of their content. */
export type VersionedRules = CustomRules & { readonly version: string };

/** What an overlay of these rules is made of, without what has expired of their allow-list. */
export function overlayParts(rules: VersionedRules, program: WebAssembly.Memory, nowMs: number): OverlayParts {
  const over = countExpired(rules, nowMs);
  return {
    // What expired is a beginning of the list by time of expiry, so its length names it.
    id: over === 0 ? rules.version : `${rules.version}-${over}`,
    programId: rules.version,
    program,
    ruleCount: rules.rules.length,
    allowed: rules.allow.map((entry) => (isExpired(entry, nowMs) ? nothingAllowed : toAllowance(entry))),
  };
}

export interface OverlaysOptions {
  readonly store: Store;
  readonly compiler: Pick<RulesCompiler, 'open'>;
  readonly program: Program;
  readonly engine?: Engine;
  readonly clock: Clock;
  /** Rules could not be opened; an earlier generation may be in use. */
  readonly failed: (error: unknown) => void;
  /** For tests; the defaults are the service's bounds. */
  readonly overlaysMax?: number;
  readonly overlayBytesMax?: number;
  readonly waitMs?: number;
}

/** Rules that are open. */
interface Opened extends OpenRules {
  /** Entries of the allow-list that had expired when they were opened. */
  readonly over: number;
  /** When that is to be looked at again, in the clock's microseconds. */
  reviewUs: number;
}

/** What is known of one organization. */
interface Known {
  /** Generation of the store at which it was looked up. */
  generation: number;
  /** What the store has. */
  version: string | undefined;
  /** What scans use as long as that is not open. */
  before: string | undefined;
  opening?: Promise<Overlay | undefined>;
  /** After a failure: not to be tried again before this time. */
  retryUs?: number;
}

export function createOverlays(options: OverlaysOptions): Overlays {
  const { store, compiler, program, engine, clock, failed } = options;
  const waitMs = options.waitMs ?? limits.overlayWaitMs;
  const organizations = new LRUCache<string, Known>({ max: limits.principalCacheMax });
  const opened = new LRUCache<string, Opened>({
    max: options.overlaysMax ?? limits.overlaysMax,
    maxSize: options.overlayBytesMax ?? limits.overlayBytesMax,
    sizeCalculation: ({ overlay }) => overlay.bytes,
  });
  const generations = watchGeneration(store, () => store.customRules.generation());
  let waiting = 0;

  const lookUp = (organizationId: string, known: Known | undefined, generation: number): Known => {
    try {
      const version = store.customRules.version(organizationId);
      if (!known) {
        const first: Known = { generation, version, before: undefined };
        organizations.set(organizationId, first);
        return first;
      }
      known.generation = generation;
      if (known.version === version) return known;
      if (known.version !== undefined && opened.has(known.version)) known.before = known.version;
      if (version === undefined) known.before = undefined;
      known.version = version;
      delete known.retryUs;
      return known;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (known) return known;
      throw new GuardError('store_unavailable', 'The rules of the organization cannot be looked up now.');
    }
  };

  const knownOf = (organizationId: string): Known => {
    const generation = generations.now();
    const known = organizations.get(organizationId);
    return known?.generation === generation ? known : lookUp(organizationId, known, generation);
  };

  /** Opens what the store has now, whatever it had when this was asked for. */
  const openStored = async (organizationId: string, known: Known): Promise<Overlay | undefined> => {
    const rules = store.customRules.get(organizationId);
    known.version = rules?.version;
    if (!rules) return undefined;
    const memory = await compiler.open(rules);
    if (!memory) throw new Error('rules that were saved do not compile any more');
    return use(rules, memory);
  };

  /** From an overlay of the same rules, where there is one, it takes no memory. */
  const use = (rules: VersionedRules, from: WebAssembly.Memory | Overlay): Overlay => {
    const nowMs = clock.nowMs();
    const over = countExpired(rules, nowMs);
    const isOpen = 'parts' in from;
    const parts = overlayParts(rules, isOpen ? from.parts.program : from, nowMs);
    const overlay = isOpen ? from.over(parts, program) : openOverlay(parts, program, engine);
    opened.set(rules.version, { overlay, rules, over, reviewUs: reviewTime(rules, nowMs, clock.nowUs()) });
    return overlay;
  };

  /** The rules of this version if they are open, without what has expired of their allow-list. */
  const ready = (version: string, nowUs: number): Overlay | undefined => {
    const found = opened.get(version);
    if (!found || nowUs < found.reviewUs) return found?.overlay;
    const nowMs = clock.nowMs();
    if (countExpired(found.rules, nowMs) !== found.over) return use(found.rules, found.overlay);
    found.reviewUs = reviewTime(found.rules, nowMs, nowUs);
    return found.overlay;
  };

  const openAgain = (organizationId: string, known: Known): Promise<Overlay | undefined> => {
    known.opening ??= openStored(organizationId, known)
      .catch((error: unknown) => {
        known.retryUs = clock.nowUs() + limits.overlayRetryMs * 1_000;
        failed(error);
        throw unavailable(error);
      })
      .finally(() => {
        delete known.opening;
      });
    return known.opening;
  };

  const wait = async (opening: Promise<Overlay | undefined>): Promise<Overlay | undefined> => {
    if (waiting >= limits.overlayWaitersMax) throw new GuardError('overloaded', 'Too many scans wait for their rules.');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unavailable()), waitMs);
    });
    waiting++;
    try {
      return await Promise.race([opening, late]);
    } finally {
      waiting--;
      clearTimeout(timer);
    }
  };

  return {
    of: (organizationId, nowUs) => {
      const known = knownOf(organizationId);
      if (known.version === undefined) return undefined;
      const open = ready(known.version, nowUs);
      if (open) {
        known.before = undefined;
        return open;
      }
      const before = known.before === undefined ? undefined : ready(known.before, nowUs);
      if (known.retryUs !== undefined && nowUs < known.retryUs) {
        if (before) return before;
        throw unavailable();
      }
      const opening = openAgain(organizationId, known);
      if (!before) return wait(opening);
      // Whoever is served by the rules before does not wait; a failure was reported.
      opening.catch(() => {});
      return before;
    },
    peek: (organizationId, nowUs) => {
      try {
        const { version } = knownOf(organizationId);
        return version === undefined ? undefined : (ready(version, nowUs) ?? 'closed');
      } catch (error) {
        if (error instanceof GuardError) return 'closed';
        throw error;
      }
    },
    opened: () => [...opened.values()],
    takeOver: async (before) => {
      for (const { rules, overlay } of before.opened().toReversed()) {
        await nextTurn();
        if (!opened.has(rules.version)) use(rules, overlay);
      }
    },
    prepare: (rules, program) => {
      if (!opened.has(rules.version)) use(rules, program);
    },
  };
}

function unavailable(cause?: unknown): GuardError {
  if (cause instanceof GuardError && cause.code === 'overloaded') return cause;
  const options = cause === undefined ? undefined : { cause };
  return new GuardError('rules_unavailable', 'The rules of the organization are not ready yet.', [], options);
}

const nothingAllowed: Allowance = { policies: [], ruleIds: [] };

function isExpired({ expires_at: expiresAt }: AllowedPhrase, nowMs: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs;
}

function countExpired({ allow }: VersionedRules, nowMs: number): number {
  return allow.reduce((count, entry) => count + Number(isExpired(entry, nowMs)), 0);
}

/** At the next expiry; before that only in case the time of day is set anew. */
function reviewTime({ allow }: VersionedRules, nowMs: number, nowUs: number): number {
  const times = allow.flatMap(({ expires_at: expiresAt }) => (expiresAt === undefined ? [] : [Date.parse(expiresAt)]));
  if (times.length === 0) return Number.POSITIVE_INFINITY;
  const nextMs = Math.min(...times.filter((time) => time > nowMs), nowMs + limits.allowReviewMs);
  return nowUs + (nextMs - nowMs) * 1_000;
}

function toAllowance({ policies = [], rules = [] }: AllowedPhrase): Allowance {
  return { policies, ruleIds: rules };
}
