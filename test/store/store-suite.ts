import { describe, expect, onTestFinished, test } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import type { ScanRecord, StoredText } from '../../src/domain/scan-record.js';
import { latencyBin } from '../../src/store/rollup.js';
import { CursorError, type ScanQuery, type Store, StoreError } from '../../src/store/store.js';
import {
  appA,
  appB,
  application,
  epoch,
  orgA,
  organization,
  orgB,
  profileDraft,
  scanId,
  scanRecord,
  storedRules,
  tokenRecord,
  user,
} from './samples.js';

/** What every store must do; `open` gives a new, empty one. */
export function storeSuite(name: string, open: () => Store): void {
  const opened = (): Store => {
    const store = open();
    onTestFinished(() => store.close());
    return store;
  };

  describe(`${name}: rows`, () => {
    test('are saved, replaced, listed and removed', async () => {
      const { organizations, change } = opened();
      const first = organization({ createdAt: epoch + 1 });
      const second = organization({ createdAt: epoch });
      await change((write) => write.organizations.put(first));
      await change((write) => write.organizations.put(second));
      expect(organizations.get(first.id)).toEqual(first);
      expect(organizations.list()).toEqual([second, first]);
      expect(organizations.list(first.id)).toEqual([first]);

      await change((write) => write.organizations.put({ ...first, name: 'Renamed' }));
      expect(organizations.get(first.id)).toEqual({ ...first, name: 'Renamed' });

      await change((write) => write.organizations.remove(first.id));
      await change((write) => write.organizations.remove('of-no-row'));
      expect(organizations.get(first.id)).toBeUndefined();
      expect(organizations.list()).toEqual([second]);
    });

    test('are listed by time of creation, then id, of one organization or of all', async () => {
      const { applications, change } = opened();
      const rows = [
        application({ id: 'c', createdAt: epoch }),
        application({ id: 'a', createdAt: epoch }),
        application({ id: 'b', createdAt: epoch - 1, organizationId: orgB }),
        application({ id: 'd', createdAt: epoch - 2 }),
      ];
      for (const row of rows) await change((write) => write.applications.put(row));
      expect(applications.list().map(({ id }) => id)).toEqual(['d', 'b', 'a', 'c']);
      expect(applications.list(orgA).map(({ id }) => id)).toEqual(['d', 'a', 'c']);
      expect(applications.list('unknown')).toEqual([]);
    });

    test('belong to the caller: what happens to them outside stays outside', async () => {
      const { applications, change } = opened();
      const row = { ...application() };
      const saved = { ...row };
      const saving = change((write) => write.applications.put(row));
      await saving;
      row.name = 'changed';
      expect(applications.get(row.id)).toEqual(saved);
      Object.assign(applications.get(row.id) ?? {}, { name: 'changed' });
      Object.assign(applications.list()[0], { name: 'changed' });
      expect(applications.get(row.id)).toEqual(saved);
    });

    test.each(['', 'x'.repeat(5_000), 'a\0b', '\ud800'])('an unknown id is no failure: case %#', (id) => {
      const store = opened();
      expect(store.users.get(id)).toBeUndefined();
      expect(store.users.findByEmail(id)).toBeUndefined();
      expect(store.tokens.findByHash(id)).toBeUndefined();
      expect(store.health()).toEqual({ ok: true });
    });
  });

  describe(`${name}: users`, () => {
    test('are found by e-mail in any case, also after it changed', async () => {
      const { users, change } = opened();
      const ada = user({ email: 'Ada@Example.org' });
      await change((write) => write.users.put(ada));
      expect(users.findByEmail('aDA@example.ORG')).toEqual(ada);

      await change((write) => write.users.put({ ...ada, email: 'ada@other.org' }));
      expect(users.findByEmail('ada@example.org')).toBeUndefined();
      expect(users.findByEmail('ada@other.org')?.id).toBe(ada.id);

      await change((write) => write.users.remove(ada.id));
      expect(users.findByEmail('ada@other.org')).toBeUndefined();
    });

    test('cannot share an e-mail, over organizations too; the refused one leaves nothing behind', async () => {
      const { users, change } = opened();
      const ada = user({ email: 'ada@example.org' });
      const other = user({ email: 'bob@example.org', organizationId: orgB });
      await change((write) => write.users.put(ada));
      await change((write) => write.users.put(other));
      const thief = user({ email: 'ADA@example.org', organizationId: orgB });
      const savings = [
        change((write) => write.users.put(thief)),
        change((write) => write.users.put({ ...other, email: 'ada@example.org', role: 'admin' })),
      ];
      for (const saving of savings) {
        await expect(saving).rejects.toThrow(new StoreError('Another user has this e-mail address.'));
      }
      expect(users.get(thief.id)).toBeUndefined();
      expect(users.get(other.id)).toEqual(other);
      expect(users.findByEmail('ada@example.org')).toEqual(ada);
    });

    test('of several that want one e-mail at once, one gets it', async () => {
      const store = opened();
      const rivals = Array.from({ length: 8 }, () => user({ email: 'only@example.org' }));
      const outcomes = await Promise.allSettled(rivals.map((rival) => store.change((write) => write.users.put(rival))));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(store.users.list()).toHaveLength(1);
      expect(store.users.findByEmail('only@example.org')).toEqual(store.users.list()[0]);
      expect(store.health()).toEqual({ ok: true });
    });

    test('that were removed free their e-mail', async () => {
      const { users, change } = opened();
      const ada = user({ email: 'ada@example.org' });
      await change((write) => write.users.put(ada));
      await change((write) => write.users.remove(ada.id));
      const heir = user({ email: 'ada@example.org' });
      await change((write) => write.users.put(heir));
      expect(users.findByEmail('ada@example.org')).toEqual(heir);
    });
  });

  describe(`${name}: rules of organizations`, () => {
    test('are there until they are removed, one set for each organization', async () => {
      const { customRules, change } = opened();
      expect([customRules.version(orgA), customRules.get(orgA)]).toEqual([undefined, undefined]);
      const first = storedRules({ version: 'one' });
      const other = storedRules({ organizationId: orgB, version: 'other', updatedBy: 'somebody' });
      expect(await change((write) => write.customRules.put(first))).toEqual({ ...first, revision: 1 });
      await change((write) => write.customRules.put(other));
      expect([customRules.version(orgA), customRules.get(orgA)]).toEqual(['one', { ...first, revision: 1 }]);
      const second = storedRules({ version: 'two', rules: [], lastNumber: 9 });
      await change((write) => write.customRules.put(second));
      expect([customRules.version(orgA), customRules.get(orgA)]).toEqual(['two', { ...second, revision: 2 }]);
      await change((write) => write.customRules.remove(orgA, { updatedAt: epoch }));
      await change((write) => write.customRules.remove(orgA, { updatedAt: epoch }));
      expect([customRules.version(orgA), customRules.get(orgA)]).toEqual([undefined, undefined]);
      expect([customRules.version(orgB), customRules.get(orgB)]).toEqual(['other', { ...other, revision: 1 }]);
    });

    test('have a history that tells who changed what, removals too', async () => {
      const { customRules, change } = opened();
      expect(customRules.history(orgA)).toEqual([]);
      await change((write) => write.customRules.put(storedRules({ version: 'one', updatedBy: 'ada' })));
      await change((write) => write.customRules.put(storedRules({ organizationId: orgB, version: 'other' })));
      await change((write) => write.customRules.remove(orgA, { updatedAt: epoch + 5, updatedBy: 'bob' }));
      await change((write) => write.customRules.put(storedRules({ version: 'three', lastNumber: 4 })));
      expect(customRules.history(orgA)).toEqual([
        storedRules({ version: 'three', lastNumber: 4, revision: 3 }),
        storedRules({ version: '', rules: [], revision: 2, updatedAt: epoch + 5, updatedBy: 'bob' }),
        storedRules({ version: 'one', revision: 1, updatedBy: 'ada' }),
      ]);
      expect(customRules.history(orgA, 1).map(({ revision }) => revision)).toEqual([3]);
      expect(customRules.history(orgB)).toHaveLength(1);
    });

    test('have a history of bounded length, by number and by size', async () => {
      const { customRules, change } = opened();
      for (let i = 0; i < limits.historyMax + 3; i++)
        await change((write) => write.customRules.put(storedRules({ version: String(i) })));
      const kept = customRules.history(orgA).map(({ version }) => Number(version));
      expect([kept.length, kept[0], kept.at(-1)]).toEqual([limits.historyMax, limits.historyMax + 2, 3]);
      const phrase = 'x'.repeat(limits.historyBytesMax / 3);
      for (let i = 0; i < 4; i++)
        await change((write) => write.customRules.put(storedRules({ version: `large ${i}`, allow: [{ phrase }] })));
      expect(customRules.history(orgA).map(({ version }) => version)).toEqual(['large 3', 'large 2']);
      await change((write) =>
        write.customRules.put(storedRules({ version: 'huge', allow: [{ phrase: phrase.repeat(4) }] })),
      );
      expect(customRules.history(orgA).map(({ version }) => version)).toEqual(['huge']);
    });

    test('have a new generation after every change and no other', async () => {
      const { customRules, change } = opened();
      const seen = [customRules.generation()];
      await change((write) => write.customRules.put(storedRules({})));
      seen.push(customRules.generation());
      await change((write) => write.customRules.put(storedRules({ organizationId: orgB })));
      seen.push(customRules.generation());
      await change((write) => write.customRules.remove(orgA, { updatedAt: epoch }));
      seen.push(customRules.generation());
      expect(new Set(seen).size).toBe(seen.length);
      await change((write) => write.customRules.remove(orgA, { updatedAt: epoch }));
      await change((write) => write.organizations.put(organization()));
      expect(customRules.generation()).toBe(seen.at(-1));
    });

    test('keep every text exactly, and belong to the caller', async () => {
      const { customRules, change } = opened();
      const phrase = 'é \ud800 \0 \u2028 😀';
      const rules = storedRules({ allow: [{ phrase, policies: ['LLM01'] }] });
      await change((write) => write.customRules.put(rules));
      expect(customRules.get(orgA)?.allow[0].phrase).toBe(phrase);
      Object.assign(customRules.get(orgA) ?? {}, { version: 'changed' });
      expect(customRules.get(orgA)).toEqual({ ...rules, revision: 1 });
    });

    test.each(['', 'x'.repeat(5_000), 'generations'])('of an unknown organization are no failure: case %#', (id) => {
      const { customRules } = opened();
      expect([customRules.version(id), customRules.get(id)]).toEqual([undefined, undefined]);
      expect(customRules.history(id)).toEqual([]);
    });
  });

  describe(`${name}: profiles`, () => {
    test('are saved as versions, listed by id, of one organization each', async () => {
      const { profiles, change } = opened();
      expect([profiles.get(orgA, 'own'), profiles.list(orgA), profiles.history(orgA, 'own')]).toEqual([
        undefined,
        [],
        [],
      ]);
      const first = await change((write) => write.profiles.put(profileDraft()));
      const second = await change((write) =>
        write.profiles.put(profileDraft({ title: 'Second', updatedBy: 'ada', scanScope: 'latest_turn' })),
      );
      await change((write) => write.profiles.put(profileDraft({ id: 'a' })));
      await change((write) => write.profiles.put(profileDraft({ organizationId: orgB })));
      expect([first, second]).toEqual([
        { ...profileDraft(), version: 1 },
        { ...profileDraft({ title: 'Second', updatedBy: 'ada', scanScope: 'latest_turn' }), version: 2 },
      ]);
      expect(profiles.get(orgA, 'own')).toEqual(second);
      expect(profiles.list(orgA).map(({ id, version }) => [id, version])).toEqual([
        ['a', 1],
        ['own', 2],
      ]);
      expect(profiles.history(orgA, 'own')).toEqual([second, first]);
      expect(profiles.history(orgA, 'ow')).toEqual([]);
      expect(profiles.get(orgB, 'own')?.version).toBe(1);
    });

    test('are saved over the version that the writer knew, or not at all', async () => {
      const { profiles, change } = opened();
      const given = (base: number) =>
        change((write) => {
          if (base !== (profiles.get(orgA, 'own')?.version ?? 0)) return undefined;
          return write.profiles.put(profileDraft({ title: `over ${base}` })).version;
        });
      expect([await given(1), await given(0), await given(0), await given(1), await given(1)]).toEqual([
        undefined,
        1,
        undefined,
        2,
        undefined,
      ]);
      expect(profiles.get(orgA, 'own')?.title).toBe('over 1');
      const rivals = await Promise.all(Array.from({ length: 5 }, () => given(2)));
      expect(rivals.filter((saved) => saved !== undefined)).toHaveLength(1);
    });

    test('go with their history, and their versions never come back', async () => {
      const { profiles, change } = opened();
      for (let i = 0; i < 3; i++) await change((write) => write.profiles.put(profileDraft()));
      expect([
        await change((write) => write.profiles.remove(orgA, 'own')),
        await change((write) => write.profiles.remove(orgA, 'own')),
      ]).toEqual([true, false]);
      expect(await change((write) => write.profiles.remove(orgB, 'own'))).toBe(false);
      expect([profiles.get(orgA, 'own'), profiles.list(orgA), profiles.history(orgA, 'own')]).toEqual([
        undefined,
        [],
        [],
      ]);
      expect((await change((write) => write.profiles.put(profileDraft()))).version).toBe(4);
      expect((await change((write) => write.profiles.put(profileDraft({ organizationId: orgB })))).version).toBe(1);
    });

    test('have a new generation after every change and no other', async () => {
      const { profiles, change } = opened();
      const seen = [profiles.generation()];
      await change((write) => write.profiles.put(profileDraft()));
      seen.push(profiles.generation());
      await change((write) => write.profiles.put(profileDraft({ organizationId: orgB })));
      seen.push(profiles.generation());
      await change((write) => write.profiles.remove(orgA, 'own'));
      seen.push(profiles.generation());
      expect(new Set(seen).size).toBe(seen.length);
      await change((write) => write.profiles.remove(orgA, 'own'));
      await change((write) => write.organizations.put(organization()));
      expect(profiles.generation()).toBe(seen.at(-1));
    });

    test('have a history of bounded length', async () => {
      const { profiles, change } = opened();
      for (let i = 0; i < limits.historyMax + 2; i++) await change((write) => write.profiles.put(profileDraft()));
      const kept = profiles.history(orgA, 'own').map(({ version }) => version);
      expect([kept.length, kept[0], kept.at(-1)]).toEqual([limits.historyMax, limits.historyMax + 2, 3]);
    });

    test('belong to the caller', async () => {
      const { profiles, change } = opened();
      await change((write) => write.profiles.put(profileDraft()));
      Object.assign(profiles.get(orgA, 'own') ?? {}, { title: 'changed' });
      Object.assign(profiles.list(orgA)[0], { title: 'changed' });
      Object.assign(profiles.history(orgA, 'own')[0], { title: 'changed' });
      expect(profiles.get(orgA, 'own')?.title).toBe('Own');
      expect(profiles.history(orgA, 'own')[0].title).toBe('Own');
    });

    test.each(['', 'x'.repeat(5_000), 'generation', 'removed', '\0'])(
      'of unknown names are no failure: case %#',
      (id) => {
        const { profiles } = opened();
        expect([profiles.get(id, 'own'), profiles.get(orgA, id)]).toEqual([undefined, undefined]);
        expect([profiles.list(id), profiles.history(id, id)]).toEqual([[], []]);
      },
    );
  });

  describe(`${name}: tokens`, () => {
    test('are found by hash as long as they are there', async () => {
      const { tokens, change } = opened();
      const token = tokenRecord();
      await change((write) => write.tokens.put(token));
      expect(tokens.findByHash(token.hash)).toEqual(token);
      expect(tokens.findByHash('0'.repeat(64))).toBeUndefined();
      await expect(change((write) => write.tokens.put(tokenRecord({ hash: token.hash })))).rejects.toThrow(StoreError);
      await change((write) => write.tokens.remove(token.id));
      expect(tokens.findByHash(token.hash)).toBeUndefined();
    });

    test('a touch changes the time of last use and nothing else', async () => {
      const { tokens, change } = opened();
      const token = tokenRecord();
      await change((write) => write.tokens.put(token));
      await tokens.touch(token.id, epoch + 5);
      expect(tokens.get(token.id)).toEqual({ ...token, lastUsedAt: epoch + 5 });
    });

    test('a touch brings back neither a revoked nor a removed token', async () => {
      const { tokens, change } = opened();
      const [revoked, removed] = [tokenRecord(), tokenRecord()];
      await change((write) => write.tokens.put(revoked));
      await change((write) => write.tokens.put(removed));
      await Promise.all([
        change((write) => write.tokens.put({ ...revoked, revokedAt: epoch + 1 })),
        tokens.touch(revoked.id, epoch + 2),
        change((write) => write.tokens.remove(removed.id)),
        tokens.touch(removed.id, epoch + 2),
      ]);
      expect(tokens.get(revoked.id)?.revokedAt).toBe(epoch + 1);
      expect(tokens.get(removed.id)).toBeUndefined();
      expect(tokens.findByHash(removed.hash)).toBeUndefined();
    });
  });

  describe(`${name}: text of scans`, () => {
    const text = (content: string): StoredText => ({ form: 'full', messages: [{ role: 'user', content, cut: false }] });

    test('is kept beside its record exactly, for its organization alone', async () => {
      const { scans } = opened();
      const strange = 'é \ud800 \0 \u2028 😀 <b>';
      expect(await scans.append(scanRecord(0, 1), text(strange))).toBe(true);
      expect(await scans.append(scanRecord(1, 2))).toBe(true);
      await scans.append(scanRecord(2, 3), { form: 'redacted', messages: [] });
      expect(scans.text(orgA, scanId(epoch, 1))).toEqual(text(strange));
      expect(scans.text(orgA, scanId(epoch + 1, 2))).toBeUndefined();
      for (const [organizationId, id] of [
        [orgB, scanId(epoch, 1)],
        [orgA, scanId(epoch, 9)],
        [orgA, ''],
        ['', 'scan_'],
      ]) {
        expect(scans.text(organizationId, id)).toBeUndefined();
      }
      const { records } = scans.find({ organizationId: orgA, limit: 10 });
      expect(records.map(({ storedText }) => storedText)).toEqual(['redacted', undefined, 'full']);
      expect(JSON.stringify(records)).not.toContain('<b>');
    });

    test('goes with its record', async () => {
      const { scans } = opened();
      for (let i = 0; i < 5; i++) await scans.append(scanRecord(i, i), text(`number ${i}`));
      expect(await scans.purge(epoch + 3)).toBe(3);
      const left = [0, 1, 2, 3, 4].map((i) => scans.text(orgA, scanId(epoch + i, i))?.messages[0].content);
      expect(left).toEqual([undefined, undefined, undefined, 'number 3', 'number 4']);
    });

    test('is not that of another record with the same id', async () => {
      const { scans } = opened();
      await scans.append(scanRecord(0, 1), text('first'));
      await expect(scans.append(scanRecord(0, 1, { organizationId: orgB }), text('second'))).rejects.toThrow(
        StoreError,
      );
      expect(scans.text(orgA, scanId(epoch, 1))).toEqual(text('first'));
      expect(scans.text(orgB, scanId(epoch, 1))).toBeUndefined();
    });
  });

  describe(`${name}: rollups`, () => {
    const hour = 3_600_000;
    /** The first full hour after the epoch of the tests. */
    const start = Math.ceil(epoch / hour) * hour;
    const at = (ms: number, serial: number, values: Partial<ScanRecord> = {}) =>
      scanRecord(start - epoch + ms, serial, values);
    const near = { organizationId: orgA, from: start - 2 * hour, to: start + 100 * hour } as const;
    const hit = (id: string) =>
      ({ messageId: 0, start: 0, end: 1, policy: 'LLM02', labels: ['l'], ruleIds: [id], severity: 'low' }) as const;

    test('count the scans of an hour by verdict, policy, rule, duration, project and application', async () => {
      const { scans } = opened();
      await scans.append(
        at(0, 1, { flagged: true, detectors: ['LLM02', 'LLM10'], matches: [hit('r1'), hit('r1'), hit('r2')] }),
      );
      await scans.append(at(1, 2, { projectId: 'shop', appUuid: appA, durationUs: 1_000 }));
      await scans.append(
        at(hour - 1, 3, { projectId: 'shop', flagged: true, detectors: ['LLM02'], matches: [hit('r2')] }),
      );
      await scans.append(at(hour, 4, { projectId: '\ud800' }));
      await scans.append(at(-1, 5, { organizationId: orgB, flagged: true }));
      const [first, second, ...rest] = scans.rollups(near);
      expect(rest).toEqual([]);
      expect(first).toMatchObject({ start, scans: 3, flagged: 2, otherRules: 0 });
      expect(first.policies).toEqual([0, 2, 0, 0, 0, 0, 0, 0, 0, 1]);
      expect(Object.fromEntries(first.rules)).toEqual({ r1: 1, r2: 2 });
      expect(Object.fromEntries(first.projects)).toEqual({ shop: { scans: 2, flagged: 1 } });
      expect(Object.fromEntries(first.applications)).toEqual({ [appA]: { scans: 1, flagged: 0 } });
      expect(first.latency[latencyBin(12)]).toBe(2);
      expect(first.latency[latencyBin(1_000)]).toBe(1);
      expect(second).toMatchObject({ start: start + hour, scans: 1, flagged: 0 });
      expect([...second.projects.keys()]).toEqual(['\ud800']);
      expect(scans.rollups({ ...near, organizationId: orgB })).toMatchObject([{ start: start - hour, flagged: 1 }]);
      expect(scans.rollups({ ...near, organizationId: 'x'.repeat(5_000) })).toEqual([]);
    });

    test('are there for each project and application, too', async () => {
      const { scans } = opened();
      await scans.append(at(0, 1, { projectId: 'shop', flagged: true, detectors: ['LLM01'], matches: [hit('r1')] }));
      await scans.append(at(0, 2, { projectId: 'shop', appUuid: appA }));
      await scans.append(at(0, 3, { projectId: 'other', appUuid: appA, durationUs: 50_000 }));
      const [shop] = scans.rollups({ ...near, projectId: 'shop' });
      expect(shop).toMatchObject({ scans: 2, flagged: 1 });
      expect([shop.policies[0], shop.rules.get('r1'), shop.projects.size]).toEqual([1, 1, 0]);
      const [app] = scans.rollups({ ...near, appUuid: appA });
      expect([app.scans, app.flagged, app.latency[latencyBin(50_000)]]).toEqual([2, 0, 1]);
      for (const projectId of ['', appA, 'sho']) expect(scans.rollups({ ...near, projectId })).toEqual([]);
    });

    test('have bounds: what is beyond them is counted together', async () => {
      const { scans } = opened();
      const most = limits.rollupProjectsMax;
      for (let i = 0; i < most + 5; i++) await scans.append(at(i, i, { projectId: `p${i}`, flagged: i > most }));
      await scans.append(at(1, 900, { projectId: 'p0' }));
      const matches = Array.from({ length: limits.rollupRulesMax + 7 }, (_, i) => hit(`r${i}`));
      await scans.append(at(2, 901, { matches, projectId: 'x'.repeat(limits.rollupNameUnitsMax + 1) }));
      const [rollup] = scans.rollups(near);
      expect(rollup.projects.size).toBe(most);
      expect(rollup.projects.get('p0')).toEqual({ scans: 2, flagged: 0 });
      expect(rollup.otherProjects).toEqual({ scans: 6, flagged: 4 });
      expect([rollup.rules.size, rollup.otherRules]).toEqual([limits.rollupRulesMax, 7]);
      expect(scans.rollups({ ...near, projectId: `p${most}` })).toMatchObject([{ scans: 1 }]);
      expect(scans.rollups({ ...near, projectId: 'p0' })).toMatchObject([{ scans: 2 }]);
    });

    test('name the busiest projects and applications of an hour, whichever came first', async () => {
      const { scans } = opened();
      const most = limits.rollupProjectsMax;
      // A letter beyond the first 65,536 has two units: as long as a name may be.
      const busy = '\ud835\udd38'.repeat(limits.projectIdLengthMax);
      const app = (i: number) => `${i}`.padStart(8, '0') + appA.slice(8);
      const named = (i: number) => ({ projectId: i === most ? busy : `n${i}`, appUuid: app(i) });
      for (let i = 0; i < most; i++) await scans.append(at(i, i, { ...named(i), flagged: i === 1 }));
      await scans.append(at(1, 900, named(0)));
      expect(scans.rollups(near)).toMatchObject([{ otherProjects: { scans: 0, flagged: 0 } }]);
      for (let i = 0; i < 200; i++) await scans.append(at(2, 1_000 + i, { ...named(most), flagged: i % 2 === 0 }));
      // The first of those with the fewest has lost its place; it comes back with all its scans once it has more than another.
      const [rollup] = scans.rollups(near);
      for (const [tallies, other, names] of [
        [rollup.projects, rollup.otherProjects, [busy, 'n0', 'n1']],
        [rollup.applications, rollup.otherApplications, [most, 0, 1].map(app)],
      ] as const) {
        expect([tallies.size, ...names.map((name) => tallies.get(name)), other]).toEqual([
          most,
          { scans: 200, flagged: 100 },
          { scans: 2, flagged: 0 },
          undefined,
          { scans: 1, flagged: 1 },
        ]);
      }
      await scans.append(at(3, 2_000, named(1)));
      const [later] = scans.rollups(near);
      expect([later.projects.get('n1'), later.otherProjects]).toEqual([
        { scans: 2, flagged: 1 },
        { scans: 1, flagged: 0 },
      ]);
      for (const scope of [{ projectId: busy }, { appUuid: app(most) }])
        expect(scans.rollups({ ...near, ...scope })).toMatchObject([{ scans: 200, flagged: 100 }]);
    });

    test('of a record whose time is not that of its id are none: it is refused', async () => {
      const { scans } = opened();
      await expect(scans.append({ ...at(0, 1), createdAt: start - hour })).rejects.toThrow(StoreError);
      await expect(scans.append({ ...at(0, 1), createdAt: start + hour })).rejects.toThrow(StoreError);
      expect(scans.find({ organizationId: orgA, limit: 1 }).total).toBe(0);
    });

    test('count what was stored, and nothing else', async () => {
      const { scans } = opened();
      await scans.append(at(0, 1));
      await expect(scans.append(at(0, 1))).rejects.toThrow(StoreError);
      await expect(scans.append({ ...at(0, 2), id: 'scan_' })).rejects.toThrow(StoreError);
      expect(scans.rollups(near)).toMatchObject([{ scans: 1 }]);
    });

    test('go with their hour, however many they are', async () => {
      const { scans } = opened();
      const names = Array.from({ length: 50 }, (_, i) => `p${i}`);
      for (const [place, projectId] of names.entries()) {
        for (let hours = 0; hours < 4; hours++) await scans.append(at(hours * hour, place * 10 + hours, { projectId }));
      }
      await scans.purge(start + 2 * hour + 1);
      expect(scans.rollups(near).map((rollup) => rollup.start)).toEqual([start + 2 * hour, start + 3 * hour]);
      expect(scans.rollups({ ...near, projectId: 'p7' })).toHaveLength(2);
      await scans.purge(Number.POSITIVE_INFINITY);
      expect(scans.rollups(near)).toEqual([]);
    });
  });

  describe(`${name}: scans`, () => {
    const match = { messageId: 1, start: 0, end: 3, policy: 'LLM01', severity: 'high' } as const;
    // Serial numbers by newness: the last one is the newest. The first three are of one millisecond.
    const records: readonly ScanRecord[] = [
      scanRecord(0, 0, { projectId: 'shop', appUuid: appA, detectors: ['LLM01'], flagged: true }),
      scanRecord(0, 1, { projectId: 'shop', appUuid: appB, detectors: ['LLM01', 'LLM10'] }),
      scanRecord(0, 2, { projectId: 'sho' }),
      scanRecord(10, 3, { projectId: 'a\0b', flagged: true, detectors: ['LLM10'] }),
      scanRecord(20, 4, { organizationId: orgB, projectId: 'shop', flagged: true, appUuid: appA }),
      scanRecord(30, 5, { projectId: 'a', appUuid: appA, source: 'mcp', scannedFrom: 1 }),
      scanRecord(40, 6, { projectId: '\ud800', matches: [{ ...match, labels: ['"\u2028\ud83d'], ruleIds: ['r.1'] }] }),
      scanRecord(50, 7, { projectId: '\udfff', flagged: true, detectors: ['LLM02'], scannedFrom: 2 ** 16 }),
    ];

    const filled = async (): Promise<Store> => {
      const store = opened();
      // Not in the order of their ids: a large scan ends after a small one that began later.
      await Promise.all([...records].reverse().map((record) => store.scans.append(record)));
      return store;
    };

    const queries: readonly [string, Omit<ScanQuery, 'organizationId' | 'limit'>, readonly number[]][] = [
      ['no filter', {}, [7, 6, 5, 3, 2, 1, 0]],
      ['a project', { projectId: 'shop' }, [1, 0]],
      ['a project that is the beginning of another', { projectId: 'sho' }, [2]],
      ['a project with a NUL in its name', { projectId: 'a\0b' }, [3]],
      ['a project up to that NUL', { projectId: 'a' }, [5]],
      ['a project that is a lone surrogate', { projectId: '\ud800' }, [6]],
      ['a project that is another one', { projectId: '\udfff' }, [7]],
      ['an unknown project', { projectId: 'nowhere' }, []],
      ['a project of endless name', { projectId: 'x'.repeat(5_000) }, []],
      ['flagged', { flagged: true }, [7, 3, 0]],
      ['not flagged', { flagged: false }, [6, 5, 2, 1]],
      ['flagged in a project', { flagged: true, projectId: 'shop' }, [0]],
      ['an application', { appUuid: appA }, [5, 0]],
      ['an application in capitals, which nobody stored', { appUuid: appA.toUpperCase() }, []],
      ['something that is no application', { appUuid: 'x' }, []],
      ['the nil application, which is not none', { appUuid: '00000000-0000-0000-0000-000000000000' }, []],
      ['the first detector', { detector: 'LLM01' }, [1, 0]],
      ['the last detector', { detector: 'LLM10' }, [3, 1]],
      ['from, inclusive', { from: epoch + 30 }, [7, 6, 5]],
      ['to, exclusive', { to: epoch + 10 }, [2, 1, 0]],
      ['from and to', { from: epoch + 10, to: epoch + 40 }, [5, 3]],
      [
        'everything at once',
        { projectId: 'shop', flagged: true, appUuid: appA, detector: 'LLM01', to: epoch + 1 },
        [0],
      ],
      ['an id', { scanId: scanId(epoch + 10, 3) }, [3]],
      ['an id and its filters', { scanId: scanId(epoch, 0), projectId: 'shop', flagged: true, detector: 'LLM01' }, [0]],
      ['an id of another project', { scanId: scanId(epoch, 0), projectId: 'sho' }, []],
      ['an id that is not flagged', { scanId: scanId(epoch, 1), flagged: true }, []],
      ['an id of another organization', { scanId: scanId(epoch + 20, 4) }, []],
      ['an unknown id', { scanId: scanId(epoch, 99) }, []],
      ['something that is no id', { scanId: 'scan_x' }, []],
    ];

    test.each(queries)('are found by %s', async (_, filters, serials) => {
      const { scans } = await filled();
      const page = scans.find({ organizationId: orgA, limit: 100, ...filters });
      expect(page).toEqual({ records: serials.map((serial) => records[serial]), total: serials.length });
    });

    test.each(queries)('are counted without a page, and past it, by %s', async (_, filters, serials) => {
      const { scans } = await filled();
      expect(scans.find({ organizationId: orgA, limit: 0, ...filters })).toEqual({
        records: [],
        total: serials.length,
      });
      const past = scans.find({ organizationId: orgA, limit: 5, offset: serials.length, ...filters });
      expect(past).toEqual({ records: [], total: serials.length });
    });

    test('of another organization are never seen', async () => {
      const { scans } = await filled();
      expect(scans.find({ organizationId: orgB, limit: 10 })).toEqual({ records: [records[4]], total: 1 });
      expect(scans.find({ organizationId: orgB.slice(0, -1), limit: 10 })).toEqual({ records: [], total: 0 });
    });

    test('come in pages, by offset and by cursor', async () => {
      const { scans } = await filled();
      const serials = (page: { records: readonly ScanRecord[] }) =>
        page.records.map(({ id }) => idsOf(records).indexOf(id));
      const first = scans.find({ organizationId: orgA, limit: 3 });
      expect(serials(first)).toEqual([7, 6, 5]);
      const second = scans.find({ organizationId: orgA, limit: 3, cursor: first.next ?? '' });
      expect(serials(second)).toEqual([3, 2, 1]);
      expect(serials(scans.find({ organizationId: orgA, limit: 3, offset: 3 }))).toEqual([3, 2, 1]);
      // The offset is ignored beside a cursor.
      const third = scans.find({ organizationId: orgA, limit: 3, offset: 5, cursor: second.next ?? '' });
      expect(serials(third)).toEqual([0]);
      expect([first.total, second.total, third.total, third.next]).toEqual([7, 7, 7, undefined]);
    });

    test('that arrive while pages are turned do not shift a cursor', async () => {
      const { scans } = await filled();
      const first = scans.find({ organizationId: orgA, limit: 3 });
      await scans.append(scanRecord(60, 8));
      const second = scans.find({ organizationId: orgA, limit: 3, cursor: first.next ?? '' });
      expect(idsOf(second.records)).toEqual([3, 2, 1].map((serial) => records[serial].id));
      expect(second.total).toBe(8);
    });

    test.each([
      ['nothing', () => ''],
      ['no base64url', () => '!'.repeat(34)],
      ['too short', (cursor: string) => cursor.slice(1)],
      ['too long', (cursor: string) => `${cursor}A`],
      ['padded', (cursor: string) => `${cursor}==`],
      ['of another format', (cursor: string) => `B${cursor.slice(1)}`],
      ['bits behind the end', (cursor: string) => `${cursor.slice(0, -1)}${cursor.endsWith('B') ? 'C' : 'B'}`],
      ['a scan id', () => scanId(epoch, 1)],
    ])('refuse a cursor that no page gave: %s', async (_, forge) => {
      const { scans } = await filled();
      const { next = '' } = scans.find({ organizationId: orgA, limit: 1 });
      expect(() => scans.find({ organizationId: orgA, limit: 1, cursor: forge(next) })).toThrow(CursorError);
    });

    test('refuse a cursor of other filters or another organization', async () => {
      const { scans, ...store } = await filled();
      const query = { organizationId: orgA, projectId: 'shop', limit: 1 };
      const { next: cursor = '' } = scans.find(query);
      expect(cursor).not.toBe('');
      expect(scans.find({ ...query, limit: 2, cursor }).records).toEqual([records[0]]);
      const others = [
        { flagged: true },
        { projectId: 'sho' },
        { organizationId: orgB },
        { scanId: records[0].id },
        { from: 0 },
      ];
      for (const other of others) expect(() => scans.find({ ...query, ...other, cursor })).toThrow(CursorError);
      expect(store.health()).toEqual({ ok: true });
    });

    test('an id can be used once', async () => {
      const { scans } = await filled();
      const again = [scanRecord(0, 0, { flagged: false }), scanRecord(70, 9), scanRecord(70, 9, { flagged: true })];
      const outcomes = await Promise.allSettled(again.map((record) => scans.append(record)));
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
      expect(scans.find({ organizationId: orgA, limit: 1 })).toMatchObject({ records: [again[1]], total: 8 });
      expect(scans.find({ organizationId: orgA, limit: 0, flagged: true }).total).toBe(3);
    });

    test.each(['', 'scan_', `scan_${'A'.repeat(32)}`, `scan_${'a'.repeat(31)}`, 'a'.repeat(32)])(
      'an id must have the form of one: %s',
      async (id) => {
        const { scans } = opened();
        await expect(scans.append(scanRecord(0, 0, { id }))).rejects.toThrow(StoreError);
      },
    );

    test('are kept as they were when they were appended', async () => {
      const { scans } = opened();
      const record = { ...scanRecord(0, 0, { matchesTotal: 1 }) };
      const appending = scans.append(record);
      record.matchesTotal = 2;
      await appending;
      expect(scans.find({ organizationId: orgA, limit: 1 }).records[0].matchesTotal).toBe(1);
    });

    test('older than a moment are purged, with everything that counts them', async () => {
      const { scans } = await filled();
      expect(await scans.purge(epoch + 10)).toBe(3);
      expect(await scans.purge(epoch + 10)).toBe(0);
      const remaining: readonly [Partial<ScanQuery>, readonly number[]][] = [
        [{}, [7, 6, 5, 3]],
        [{ projectId: 'shop' }, []],
        [{ flagged: true }, [7, 3]],
        [{ detector: 'LLM10' }, [3]],
        [{ scanId: records[0].id }, []],
        [{ organizationId: orgB, flagged: true }, [4]],
      ];
      for (const [filters, serials] of remaining) {
        const page = scans.find({ organizationId: orgA, limit: 100, ...filters });
        expect(page).toEqual({ records: serials.map((serial) => records[serial]), total: serials.length });
      }
      expect(await scans.purge(epoch + 1_000)).toBe(5);
      expect(scans.find({ organizationId: orgA, limit: 1 })).toEqual({ records: [], total: 0 });
      await scans.append(records[0]);
      expect(scans.find({ organizationId: orgA, limit: 1, projectId: 'shop' })).toEqual({
        records: [records[0]],
        total: 1,
      });
    });

    test('are purged by their time even where ids tell another', async () => {
      const { scans } = opened();
      await Promise.all([
        scans.append(scanRecord(0, 0, { createdAt: epoch + 100 })),
        scans.append(scanRecord(50, 1, { createdAt: epoch })),
      ]);
      expect(await scans.purge(epoch + 60)).toBe(1);
      expect(idsOf(scans.find({ organizationId: orgA, limit: 9 }).records)).toEqual([scanId(epoch, 0)]);
    });
  });

  describe(`${name}: the end`, () => {
    test('a closed store says so, and fails instead of answering', async () => {
      const store = opened();
      const token = tokenRecord();
      await store.change((write) => write.tokens.put(token));
      const appending = store.scans.append(scanRecord(0, 0));
      await store.close();
      await store.close();
      await appending;
      expect(store.health()).toEqual({ ok: false, reason: 'The store is closed.' });
      expect(() => store.tokens.findByHash(token.hash)).toThrow(StoreError);
      expect(() => store.scans.find({ organizationId: orgA, limit: 1 })).toThrow(StoreError);
      await expect(store.change((write) => write.tokens.put(token))).rejects.toThrow(StoreError);
      await expect(store.scans.append(scanRecord(1, 1))).rejects.toThrow(StoreError);
      await expect(store.scans.purge(epoch)).rejects.toThrow(StoreError);
    });
  });
}

function idsOf(records: readonly ScanRecord[]): string[] {
  return records.map(({ id }) => id);
}
