import { describe, expect, it } from 'vitest';
import {
  CaseComparer,
  compareGroups,
  isRegression,
  type KnownCase,
  KnownCases,
  sharedPolicies,
} from '../../src/eval/compare.js';
import { rateOf } from '../../src/eval/interval.js';

const known = (outcome: KnownCase['outcome'], ...policies: KnownCase['policies'][number][]): KnownCase => ({
  outcome,
  policies,
});
const cases = [
  ['found', known('missed'), known('found', 'LLM01'), 'newly_found'],
  ['lost', known('found', 'LLM01'), known('missed'), 'newly_lost'],
  ['flagged', known('clean'), known('flagged', 'LLM05'), 'newly_flagged'],
  ['clean', known('flagged', 'LLM05'), known('clean'), 'newly_clean'],
  ['moved', known('found', 'LLM01'), known('found', 'LLM01', 'LLM07'), 'policies'],
  ['same', known('found', 'LLM01'), known('found', 'LLM01'), undefined],
] as const;

describe('CaseComparer', () => {
  it('tells what became of each case', () => {
    const baseline = new KnownCases();
    for (const [id, before] of cases) baseline.add({ source: 's', id }, before);
    baseline.add({ source: 's', id: 'gone' }, known('clean'));
    const comparer = new CaseComparer(baseline);
    for (const [id, , after, kind] of cases) {
      const change = comparer.add({ id, source: 's', labelled: [], scores: {}, rules: [], ...after });
      expect(change?.kind).toBe(kind);
    }
    comparer.add({ id: 'new', source: 's', labelled: [], scores: {}, rules: [], ...known('clean') });
    const { counts, only_here, only_in_baseline, changes } = comparer.result();
    expect(counts).toEqual({ newly_found: 1, newly_lost: 1, newly_flagged: 1, newly_clean: 1, policies: 1 });
    expect([only_here, only_in_baseline, changes.length]).toEqual([1, 1, 5]);
  });
});

describe('cases with one id', () => {
  const twins = [
    ['a', known('found', 'LLM01')],
    ['b', known('missed')],
    ['a', known('missed')],
    ['a', known('found', 'LLM07')],
  ] as const;
  const line = (source: string, outcome: KnownCase) => ({
    ...{ id: '1', source, labelled: [], scores: {}, rules: [] },
    ...outcome,
  });

  it('are told apart by source, and those of one source by their order', () => {
    const baseline = new KnownCases();
    for (const [source, outcome] of twins) baseline.add({ source, id: '1' }, outcome);
    expect(baseline.size).toBe(4);
    const same = new CaseComparer(baseline);
    expect(twins.map(([source, outcome]) => same.add(line(source, outcome)))).toEqual(twins.map(() => undefined));
    expect(same.result()).toMatchObject({ only_here: 0, only_in_baseline: 0, changes: [] });

    const other = new CaseComparer(baseline);
    expect(other.add(line('a', known('missed')))?.kind).toBe('newly_lost');
    expect(other.add(line('c', known('missed')))).toBeUndefined();
    expect(other.result()).toMatchObject({ only_here: 1, only_in_baseline: 3 });
  });
});

describe('cases of runs that judged different policies', () => {
  const enforced = { policy: 'LLM01', mode: 'enforce' } as const;
  const others = [
    { policy: 'LLM05', mode: 'monitor' },
    { policy: 'LLM07', mode: 'enforce' },
  ] as const;
  const lines = [
    ['found by what one judged', ['LLM01', 'LLM07'], known('found', 'LLM07'), known('missed'), undefined],
    ['lost by what both judged', ['LLM01'], known('found', 'LLM01', 'LLM07'), known('missed'), 'newly_lost'],
    ['found as before', ['LLM01'], known('found', 'LLM01', 'LLM07'), known('found', 'LLM01'), undefined],
    ['flagged by what one judged', [], known('clean'), known('flagged', 'LLM07'), undefined],
    ['flagged by what both judged', [], known('flagged', 'LLM07'), known('flagged', 'LLM01'), 'newly_flagged'],
    ['watched by what one judged', [], known('flagged', 'LLM01', 'LLM05'), known('flagged', 'LLM01'), undefined],
  ] as const;

  it.each(lines)('%s', (id, labelled, before, after, kind) => {
    const baseline = new KnownCases();
    baseline.add({ source: 's', id }, before);
    const here = after.policies.some((policy) => policy === 'LLM07') ? others : [];
    const shared = sharedPolicies([enforced, ...(here.length === 0 ? others : [])], [enforced, ...here]);
    const comparer = new CaseComparer(baseline, shared);
    const change = comparer.add({ id, source: 's', labelled, scores: {}, rules: [], ...after });
    expect(change?.kind).toBe(kind);
  });

  it('are compared as they are where both judged the same', () => {
    expect(sharedPolicies([enforced], [{ ...enforced, mode: 'off' }])).toBeUndefined();
    expect(sharedPolicies([enforced], others)?.before.size).toBe(0);
  });
});

describe('compareGroups and isRegression', () => {
  const tables = (found: number, flagged: number) => {
    const group = { recall: rateOf(found, 10), false_positives: rateOf(flagged, 10) };
    return {
      policies: [{ policy: 'LLM01' as const, mode: 'enforce' as const, ...group }],
      sources: [],
      rules: [{ id: 'LLM01-0001', ...group }],
    };
  };
  const counts = { newly_found: 0, newly_lost: 0, newly_flagged: 0, newly_clean: 0, policies: 0 };
  const rest = { ruleset: '', only_here: 0, only_in_baseline: 0, changes: [] };

  it.each([
    ['nothing', [5, 1], 0, false],
    ['more found', [6, 1], 2, false],
    ['fewer found', [4, 1], 2, true],
    ['more flagged', [5, 2], 2, true],
  ] as const)('%s changed', (_, [found, flagged], changed, isWorse) => {
    const groups = compareGroups(tables(5, 1), tables(found, flagged));
    expect(groups).toHaveLength(changed);
    expect(isRegression({ ...rest, counts, groups, by_case: false })).toBe(isWorse);
  });

  it('leaves out policies that only one side judged', () => {
    const none = { ...tables(0, 0), policies: [] };
    for (const [before, after] of [
      [tables(5, 1), none],
      [none, tables(5, 1)],
    ]) {
      const groups = compareGroups(before, after);
      expect(groups, 'nor their rules').toEqual([]);
      expect(isRegression({ ...rest, counts, groups, by_case: false })).toBe(false);
    }
  });

  it('goes by cases where they are known', () => {
    const groups = compareGroups(tables(5, 1), tables(5, 1));
    expect(isRegression({ ...rest, groups, by_case: true, counts: { ...counts, newly_found: 9, newly_lost: 1 } })).toBe(
      true,
    );
    expect(isRegression({ ...rest, groups, by_case: true, counts: { ...counts, newly_clean: 1 } })).toBe(false);
  });
});
