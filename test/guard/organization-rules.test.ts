import { describe, expect, it, onTestFinished } from 'vitest';
import type { CustomRule, CustomRules } from '../../src/domain/custom-rules.js';
import { limits } from '../../src/domain/limits.js';
import { createOrganizationRules } from '../../src/guard/organization-rules.js';
import { compileCustomRules } from '../../src/rules/custom-rules.js';
import { openLmdbStore } from '../../src/store/lmdb/lmdb-store.js';
import { orgA, orgB, temporaryFolder } from '../store/samples.js';
import { stores } from '../store/stores.js';

const by = { now: 5, actor: { via: 'token', userId: 'somebody' } } as const;
const rule = (phrase: string, id?: string): CustomRule => ({
  ...(id === undefined ? {} : { id }),
  policy: 'LLM02',
  patterns: [{ phrase }],
});
const rulesOf = (...rules: readonly CustomRule[]): CustomRules => ({ rules, allow: [] });

const compiler = {
  check: async (rules: CustomRules) => {
    const { report, program } = compileCustomRules(rules, new Set());
    return program ? { report, program: program.memory } : { report };
  },
};

describe.each(stores)('administration of rules in %s', (_, open) => {
  const begin = () => {
    const changes: (string | undefined)[] = [];
    const store = open();
    const prepare = ({ version }: { version: string }) => {
      changes.push(version);
    };
    return { store, changes, rules: createOrganizationRules(store, compiler, { prepare }) };
  };

  it('saves, tells who and when, and puts to use', async () => {
    const { rules, changes } = begin();
    const { stored } = await rules.save(orgA, rulesOf(rule('a b')), by);
    expect(stored).toEqual({
      organizationId: orgA,
      version: expect.stringMatching(/^[0-9a-f]{32}$/),
      rules: [{ id: 'ORG-0001', policy: 'LLM02', patterns: [{ phrase: 'a b' }] }],
      allow: [],
      lastNumber: 1,
      updatedAt: 5,
      updatedBy: 'somebody',
      revision: 1,
    });
    expect(rules.find(orgA)).toEqual(stored);
    expect(rules.find(orgB)).toBeUndefined();
    expect(changes).toEqual([stored?.version]);
  });

  it('gives ids that no rule ever had', async () => {
    const { rules } = begin();
    const idsAfter = async (...list: readonly CustomRule[]) =>
      (await rules.save(orgA, rulesOf(...list), by)).stored?.rules.map(({ id }) => id);
    expect(await idsAfter(rule('a'), rule('b', 'ORG-0007'), rule('c'))).toEqual(['ORG-0008', 'ORG-0007', 'ORG-0009']);
    expect(await idsAfter(rule('a', 'ORG-0008'))).toEqual(['ORG-0008']);
    expect(await idsAfter(rule('d'), rule('a', 'ORG-0008'))).toEqual(['ORG-0010', 'ORG-0008']);
    expect((await rules.check(orgA, rulesOf(rule('e')))).rules.rules[0].id).toBe('ORG-0011');
    expect((await rules.check(orgB, rulesOf(rule('e')))).rules.rules[0].id).toBe('ORG-0001');
    await idsAfter(rule('a', 'ORG-9999'));
    await expect(idsAfter(rule('a'))).rejects.toMatchObject({ code: 'invalid_input', fields: [{ pointer: '/rules' }] });
  });

  it('goes on with ids after one that was named far beyond the last, once no rule has it any more', async () => {
    const { rules } = begin();
    const save = async (...list: readonly CustomRule[]) =>
      (await rules.save(orgA, rulesOf(...list), by)).stored?.rules.map(({ id }) => id);
    const refused = {
      code: 'invalid_input',
      fields: [{ pointer: '/rules', message: expect.stringContaining('behind ORG-9998, more than 1000 beyond') }],
    };
    expect(await save(rule('a'))).toEqual(['ORG-0001']);
    await expect(save(rule('a', 'ORG-9998'), rule('b'))).rejects.toMatchObject(refused);
    expect(await save(rule('a', 'ORG-9998'))).toEqual(['ORG-9998']);
    await expect(save(rule('b'))).rejects.toMatchObject(refused);
    expect(await save(rule('a', 'ORG-0001'))).toEqual(['ORG-0001']);
    expect(await save(rule('a', 'ORG-0001'), rule('b'))).toEqual(['ORG-0001', 'ORG-0002']);
    await save(rule('a', 'ORG-9999'));
    await rules.remove(orgA, by);
    expect(await save(rule('c'), rule('d', 'ORG-1002'))).toEqual(['ORG-1003', 'ORG-1002']);
    expect(await save(rule('e', 'ORG-0002')), 'that of a removed rule, named').toEqual(['ORG-0002']);
    expect(await save(rule('f'))).toEqual(['ORG-1004']);
  });

  it('gives no id twice when several save at once', async () => {
    const { rules } = begin();
    const saved = await Promise.all(['a', 'b', 'c'].map((phrase) => rules.save(orgA, rulesOf(rule(phrase)), by)));
    expect(saved.map(({ stored }) => stored?.rules[0].id)).toEqual(['ORG-0001', 'ORG-0002', 'ORG-0003']);
    expect(rules.find(orgA)?.rules[0].patterns).toEqual([{ phrase: 'c' }]);
  });

  it('names a version by its content', async () => {
    const { rules } = begin();
    const versionOf = async (given: CustomRules) => (await rules.save(orgA, given, by)).stored?.version;
    const first = await versionOf(rulesOf(rule('a b', 'ORG-0001')));
    const second = await versionOf(rulesOf(rule('a c', 'ORG-0001')));
    const allowing = await versionOf({
      rules: [rule('a b', 'ORG-0001')],
      allow: [{ phrase: 'x', policies: ['LLM01'] }],
    });
    expect(new Set([first, second, allowing]).size).toBe(3);
    expect(await versionOf(rulesOf(rule('a b', 'ORG-0001')))).toBe(first);
  });

  it('refuses what is broken or too long, and changes nothing', async () => {
    const { rules, changes } = begin();
    await rules.save(orgA, rulesOf(rule('a b')), by);
    const before = rules.find(orgA);
    await expect(rules.save(orgA, rulesOf(rule('a (b'), rule('c)')), by)).rejects.toMatchObject({
      code: 'invalid_input',
      fields: [
        { pointer: '/rules/0/patterns/0/phrase', code: 'E201' },
        { pointer: '/rules/1/patterns/0/phrase', code: 'E201' },
      ],
    });
    const long = rulesOf(...Array.from({ length: 200 }, () => rule('long '.repeat(600))));
    expect(JSON.stringify(long).length).toBeGreaterThan(limits.customSourceUnitsMax);
    await expect(rules.save(orgA, long, by)).rejects.toMatchObject({
      code: 'invalid_input',
      fields: [{ pointer: '' }],
    });
    expect(rules.find(orgA)).toEqual(before);
    expect(changes).toHaveLength(1);
  });

  it('puts a former state back, as a change of its own, and gives no number again', async () => {
    const { rules, changes } = begin();
    const first = (await rules.save(orgA, rulesOf(rule('a b')), by)).stored;
    await rules.save(orgA, rulesOf(rule('c d')), by);
    await rules.remove(orgA, by);
    const back = await rules.rollBack(orgA, 1, { now: 9, actor: { via: 'session', userId: 'other' } });
    expect(back.stored).toEqual({ ...first, lastNumber: 2, updatedAt: 9, updatedBy: 'other', revision: 4 });
    expect(rules.find(orgA)).toEqual(back.stored);
    expect(changes.at(-1)).toBe(first?.version);
    expect(rules.history(orgA).map(({ revision, rules: { length } }) => [revision, length])).toEqual([
      [4, 1],
      [3, 0],
      [2, 1],
      [1, 1],
    ]);
    expect((await rules.save(orgA, rulesOf(rule('e')), by)).stored?.rules[0].id).toBe('ORG-0003');
    expect((await rules.rollBack(orgA, 3, by)).stored).toBeUndefined();
    expect(rules.find(orgA)).toBeUndefined();
    for (const revision of [0, 99]) {
      await expect(rules.rollBack(orgA, revision, by)).rejects.toMatchObject({ fields: [{ pointer: '/revision' }] });
    }
    await expect(rules.rollBack(orgB, 1, by)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('makes no other revision of what is saved as it is', async () => {
    const { rules, changes } = begin();
    const first = (await rules.save(orgA, rulesOf(rule('a b')), by)).stored;
    const count = changes.length;
    expect((await rules.save(orgA, { rules: first?.rules ?? [], allow: [] }, { ...by, now: 9 })).stored).toEqual(first);
    expect((await rules.rollBack(orgA, 1, { ...by, now: 9 })).stored).toEqual(first);
    const turned = first?.rules.map((own) => Object.fromEntries(Object.entries(own).reverse()) as typeof own) ?? [];
    expect((await rules.save(orgA, { rules: turned, allow: [] }, { ...by, now: 9 })).stored).toEqual(first);
    expect([rules.history(orgA).length, changes.length]).toEqual([1, count]);
  });

  it('changes nothing where somebody else has changed the rules meanwhile', async () => {
    const { rules } = begin();
    const from = (baseVersion: string | null) => ({ ...by, baseVersion });
    const first = (await rules.save(orgA, rulesOf(rule('a b')), from(null))).stored?.version ?? '';
    const second = (await rules.save(orgA, rulesOf(rule('c d')), from(first))).stored;
    const conflict = { code: 'conflict', message: 'The rules were changed meanwhile.' };
    for (const stale of [first, null, 'unknown']) {
      await expect(rules.save(orgA, rulesOf(rule('e f')), from(stale))).rejects.toMatchObject(conflict);
      await expect(rules.save(orgA, rulesOf(), from(stale))).rejects.toMatchObject(conflict);
      await expect(rules.rollBack(orgA, 1, from(stale))).rejects.toMatchObject(conflict);
    }
    expect(rules.find(orgA)).toEqual(second);
    await rules.rollBack(orgA, 1, from(second?.version ?? ''));
    await rules.remove(orgA, by);
    await expect(rules.save(orgA, rulesOf(rule('e f')), from(first))).rejects.toMatchObject(conflict);
    expect(rules.find(orgA)).toBeUndefined();
  });

  it('removes, also by saving nothing', async () => {
    const { rules, changes } = begin();
    await rules.save(orgA, rulesOf(rule('a b')), by);
    expect((await rules.save(orgA, rulesOf(), by)).stored).toBeUndefined();
    expect(rules.find(orgA)).toBeUndefined();
    await rules.save(orgA, rulesOf(rule('a b')), by);
    expect(await rules.remove(orgA, by)).toBe(true);
    expect(await rules.remove(orgA, by)).toBe(false);
    expect(changes, 'what is to be used is opened before it counts').toEqual([expect.any(String), expect.any(String)]);
  });
});

describe('administration of rules by two processes', () => {
  type Rules = ReturnType<typeof createOrganizationRules>;
  /** The one compiles what it saves while, each time, the other does what it is given. */
  const begin = (other: (rules: Rules, time: number) => Promise<unknown>) => {
    const folder = temporaryFolder();
    const open = () => {
      const store = openLmdbStore(folder);
      onTestFinished(() => store.close());
      return store;
    };
    const there = createOrganizationRules(open(), compiler);
    let times = 0;
    const overtaken = {
      check: async (rules: CustomRules) => {
        await other(there, ++times);
        return compiler.check(rules);
      },
    };
    const store = open();
    const audited = () =>
      store.audit
        .find({ organizationId: orgA, limit: 100 })
        .entries.map(({ action, changes: { rules } }) => [action, rules])
        .reverse();
    return { store, here: createOrganizationRules(store, overtaken), there, times: () => times, audited };
  };
  const conflict = { code: 'conflict', message: 'The rules were changed meanwhile.' };
  const saveOnce = async (rules: Rules, time: number) => time === 1 && rules.save(orgA, rulesOf(rule('there')), by);

  it.each<[string, (rules: Rules) => Promise<unknown>]>([
    ['saves', (rules) => rules.save(orgA, rulesOf(rule('there')), by)],
    ['removes', (rules) => rules.remove(orgA, by)],
  ])('refuses what is made to a version that the other %s over', async (_, other) => {
    const { store, here, there } = begin(other);
    const first = (await there.save(orgA, rulesOf(rule('first')), by)).stored;
    const from = { ...by, baseVersion: first?.version };
    await expect(here.save(orgA, rulesOf(rule('mine')), from)).rejects.toMatchObject(conflict);
    await there.save(orgA, first ?? rulesOf(), by);
    await expect(here.rollBack(orgA, 1, from)).rejects.toMatchObject(conflict);
    await there.save(orgA, first ?? rulesOf(), by);
    await expect(here.save(orgA, rulesOf(), from)).rejects.toMatchObject(conflict);
    expect(JSON.stringify(store.customRules.history(orgA))).not.toContain('mine');
  });

  it('refuses what is made to no rules where the other saves the first', async () => {
    const { here, there } = begin((rules) => rules.save(orgA, rulesOf(rule('there')), by));
    const first = { ...by, baseVersion: null };
    await expect(here.save(orgA, rulesOf(rule('here')), first)).rejects.toMatchObject(conflict);
    expect(there.find(orgA)).toMatchObject({ rules: [{ patterns: [{ phrase: 'there' }] }], revision: 1 });
  });

  it('gives other ids than the other has given, and replaces what that saved', async () => {
    const { here, times, audited } = begin(saveOnce);
    const { stored } = await here.save(orgA, rulesOf(rule('here')), by);
    expect(stored).toMatchObject({ rules: [{ id: 'ORG-0002' }], revision: 2, lastNumber: 2 });
    expect(here.find(orgA)).toEqual(stored);
    expect(here.history(orgA).map(({ revision, rules }) => [revision, rules[0].id])).toEqual([
      [2, 'ORG-0002'],
      [1, 'ORG-0001'],
    ]);
    expect(times()).toBe(2);
    expect(audited()).toEqual([
      ['rules.update', { after: ['ORG-0001'] }],
      ['rules.update', { before: ['ORG-0001'], after: ['ORG-0002'] }],
    ]);
  });

  it('removes and rolls back what the other has saved', async () => {
    const { here, there } = begin(saveOnce);
    expect((await here.save(orgA, rulesOf(), by)).stored).toBeUndefined();
    expect(there.find(orgA)).toBeUndefined();
    expect(there.history(orgA).map(({ revision, rules: { length } }) => [revision, length])).toEqual([
      [2, 0],
      [1, 1],
    ]);
    const back = (await here.rollBack(orgA, 1, by)).stored;
    expect(back).toMatchObject({ rules: [{ id: 'ORG-0001' }], revision: 3 });
  });

  it('gives up where the other changes the rules all the time, and changes nothing', async () => {
    const { here, there, times } = begin((rules, time) => rules.save(orgA, rulesOf(rule(`there ${time}`)), by));
    await expect(here.save(orgA, rulesOf(rule('here')), by)).rejects.toMatchObject(conflict);
    expect(times()).toBe(limits.customSaveTriesMax);
    const ids = there.history(orgA).flatMap(({ rules }) => rules.map(({ id }) => id));
    expect(ids).toEqual(['ORG-0003', 'ORG-0002', 'ORG-0001']);
  });
});
