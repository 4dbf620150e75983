import { limits } from '../domain/limits.js';
import type { PolicyCode, PolicyMode } from '../domain/policy.js';
import type { CaseChange, ChangeKind, Comparison, GroupChange } from './comparison.js';
import type { Group } from './groups.js';
import type { Outcome } from './judged.js';
import type { CaseLine, EvalTables } from './result.js';

/** What is kept of a baseline's case: enough to tell what changed. */
export interface KnownCase {
  readonly outcome: Outcome;
  readonly policies: readonly PolicyCode[];
}

/**
 * The cases of a baseline by source and id. Collections number their samples alike, and a file may hold a sample twice:
 * where several share both, they are told apart by their order.
 */
export class KnownCases {
  private readonly cases = new Map<string, KnownCase>();
  /** Of those that came more than once. */
  private readonly counts = new Map<string, number>();

  get size(): number {
    return this.cases.size;
  }

  add({ source, id }: CaseName, known: KnownCase): void {
    const key = keyOf({ source, id }, 1);
    if (!this.cases.has(key)) {
      this.cases.set(key, known);
      return;
    }
    const nth = (this.counts.get(key) ?? 1) + 1;
    this.counts.set(key, nth);
    this.cases.set(keyOf({ source, id }, nth), known);
  }

  /** The nth case of this name, from 1 on. */
  find(name: CaseName, nth: number): KnownCase | undefined {
    return this.cases.get(keyOf(name, nth));
  }
}

type CaseName = Pick<CaseLine, 'source' | 'id'>;

function keyOf({ source, id }: CaseName, nth: number): string {
  return JSON.stringify([source, id, nth]);
}

/** A policy that a run judged; only one that is enforced flags. */
export interface JudgedPolicy {
  readonly policy: PolicyCode;
  readonly mode: PolicyMode;
}

/** The policies that two runs both judged, as each of them did. */
export interface SharedPolicies {
  readonly before: ReadonlyMap<PolicyCode, PolicyMode>;
  readonly after: ReadonlyMap<PolicyCode, PolicyMode>;
}

/** Undefined where both judged the same ones: then nothing need be left out. */
export function sharedPolicies(
  before: readonly JudgedPolicy[],
  after: readonly JudgedPolicy[],
): SharedPolicies | undefined {
  const [ofBefore, ofAfter] = [judgedByBoth(before, after), judgedByBoth(after, before)];
  if (ofBefore.length === before.length && ofAfter.length === after.length) return undefined;
  return { before: modesOf(ofBefore), after: modesOf(ofAfter) };
}

function modesOf(judged: readonly JudgedPolicy[]): ReadonlyMap<PolicyCode, PolicyMode> {
  return new Map(judged.map(({ policy, mode }) => [policy, mode]));
}

/**
 * Compares cases with those of a baseline as they come, by the policies that both judged. Memory: the baseline's cases and the
 * changes that are named.
 */
export class CaseComparer {
  private readonly baseline: KnownCases;
  private readonly shared: SharedPolicies | undefined;
  /** How many of each name have come that the baseline has. */
  private readonly met = new Map<string, number>();
  private matched = 0;
  private readonly named: CaseChange[] = [];
  private readonly counts: Record<ChangeKind, number> = {
    newly_found: 0,
    newly_lost: 0,
    newly_flagged: 0,
    newly_clean: 0,
    policies: 0,
  };
  private fresh = 0;

  constructor(baseline: KnownCases, shared?: SharedPolicies) {
    this.baseline = baseline;
    this.shared = shared;
  }

  /** The change of a case, if there is one. */
  add({ id, source, labelled, outcome, policies }: CaseLine): CaseChange | undefined {
    const key = keyOf({ source, id }, 1);
    const nth = (this.met.get(key) ?? 0) + 1;
    const known = this.baseline.find({ source, id }, nth);
    if (!known) {
      this.fresh++;
      return undefined;
    }
    this.met.set(key, nth);
    this.matched++;
    const before = narrowed(known, labelled, this.shared?.before);
    const after = narrowed({ outcome, policies }, labelled, this.shared?.after);
    const kind = kindOf(before, after);
    if (!kind) return undefined;
    const change = { kind, id, source, before: before.policies, after: after.policies };
    if (this.counts[kind]++ < limits.evalChangesNamedMax) this.named.push(change);
    return change;
  }

  result(): Pick<Comparison, 'counts' | 'only_here' | 'only_in_baseline' | 'changes'> {
    return {
      counts: this.counts,
      only_here: this.fresh,
      only_in_baseline: this.baseline.size - this.matched,
      changes: this.named,
    };
  }
}

/** What the case would be, had its run judged these policies alone: an attack that another one found is missed. */
function narrowed(known: KnownCase, labelled: readonly PolicyCode[], modes?: SharedPolicies['before']): KnownCase {
  if (modes === undefined) return known;
  const policies = known.policies.filter((policy) => modes.has(policy));
  const flagged = policies.some((policy) => modes.get(policy) === 'enforce');
  const isAttack = known.outcome === 'found' || known.outcome === 'missed';
  if (!isAttack) return { outcome: flagged ? 'flagged' : 'clean', policies };
  const isFound = flagged && labelled.some((policy) => policies.includes(policy));
  return { outcome: isFound ? 'found' : 'missed', policies };
}

function kindOf(before: KnownCase, after: KnownCase): ChangeKind | undefined {
  if (before.outcome !== after.outcome) {
    if (after.outcome === 'found') return 'newly_found';
    if (after.outcome === 'missed') return 'newly_lost';
    return after.outcome === 'flagged' ? 'newly_flagged' : 'newly_clean';
  }
  return before.policies.join() === after.policies.join() ? undefined : 'policies';
}

/** The tables of a baseline that are compared. */
export interface ComparedTables {
  readonly policies: readonly Pick<EvalTables['policies'][number], 'policy' | 'mode' | 'recall' | 'false_positives'>[];
  readonly sources: readonly Group[];
  readonly rules: readonly Pick<EvalTables['rules'][number], 'id' | 'recall' | 'false_positives'>[];
}

/**
 * Groups whose counts differ; sources and rules that only one side has count as 0 on the other. Policies that one did not judge are
 * left out with their rules, and then the sources, too, which count what any policy found.
 */
export function compareGroups(before: ComparedTables, after: ComparedTables): readonly GroupChange[] {
  const policies = [judgedByBoth(before.policies, after.policies), judgedByBoth(after.policies, before.policies)];
  const isNarrowed = sharedPolicies(before.policies, after.policies) !== undefined;
  const rulesOf = ({ rules }: ComparedTables) =>
    rules.filter(({ id }) => policies[0].some(({ policy }) => id.startsWith(policy))).map(ruleGroup);
  return [
    ...changesOf('policy', policies[0].map(policyGroup), policies[1].map(policyGroup)),
    ...(isNarrowed ? [] : changesOf('source', before.sources, after.sources)),
    ...changesOf('rule', rulesOf(before), rulesOf(after)),
  ];
}

/** True if an attack is no longer found or a benign sample is newly flagged; by groups where cases are unknown. */
export function isRegression(comparison: Comparison): boolean {
  const { by_case, counts, groups } = comparison;
  if (by_case) return counts.newly_lost + counts.newly_flagged > 0;
  return groups.some(
    ({ table, found, flagged }) => table === 'policy' && (found[1] < found[0] || flagged[1] > flagged[0]),
  );
}

function judgedByBoth<T extends JudgedPolicy>(own: readonly T[], others: readonly JudgedPolicy[]): readonly T[] {
  return own.filter(({ policy }) => others.some((each) => each.policy === policy));
}

type Counted = Pick<Group, 'key' | 'recall' | 'false_positives'>;

const policyGroup = ({ policy, ...rest }: ComparedTables['policies'][number]): Counted => ({ key: policy, ...rest });
const ruleGroup = ({ id, ...rest }: ComparedTables['rules'][number]): Counted => ({ key: id, ...rest });

function changesOf(
  table: GroupChange['table'],
  before: readonly Counted[],
  after: readonly Counted[],
): readonly GroupChange[] {
  const old = new Map(before.map((group) => [group.key, group]));
  const current = new Map(after.map((group) => [group.key, group]));
  return [...new Set([...old.keys(), ...current.keys()])].sort().flatMap((key): readonly GroupChange[] => {
    const [was, is] = [old.get(key), current.get(key)];
    const found = [was?.recall.k ?? 0, is?.recall.k ?? 0] as const;
    const flagged = [was?.false_positives.k ?? 0, is?.false_positives.k ?? 0] as const;
    return found[0] === found[1] && flagged[0] === flagged[1] ? [] : [{ table, key, found, flagged }];
  });
}
