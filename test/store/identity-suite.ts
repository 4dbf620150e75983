import { describe, expect, onTestFinished, test } from 'vitest';
import type { AuditAct } from '../../src/domain/audit.js';
import { GuardError } from '../../src/domain/errors.js';
import type { Session } from '../../src/domain/identity.js';
import { CursorError, type Store, StoreError, type Writes } from '../../src/store/store.js';
import {
  application,
  epoch,
  orgA,
  organization,
  orgB,
  profileDraft,
  scanRecord,
  storedRules,
  tokenRecord,
  user,
} from './samples.js';

const act = (values: Partial<AuditAct> = {}): AuditAct => ({
  organizationId: orgA,
  at: epoch,
  actor: { via: 'session', userId: 'u1', email: 'Ada@example.org', requestId: 'r1' },
  action: 'token.create',
  target: { kind: 'token', id: 't1', name: 'laptop' },
  changes: { scopes: { after: ['guard:scan'] } },
  ...values,
});

const session = (values: Partial<Session> = {}): Session => ({
  id: 'a'.repeat(64),
  userId: 'u1',
  organizationId: orgA,
  passwordMark: 'mark',
  createdAt: epoch,
  expiresAt: epoch + 1_000,
  lastUsedAt: epoch,
  ...values,
});

/** What every store must do with sessions and administrative acts; `open` gives a new, empty one. */
export function identitySuite(name: string, open: () => Store): void {
  const opened = (): Store => {
    const store = open();
    onTestFinished(() => store.close());
    return store;
  };
  const actions = (store: Store, organizationId = orgA) =>
    store.audit.find({ organizationId, limit: 100 }).entries.map(({ action }) => action);

  describe(`${name}: the version`, () => {
    const token = tokenRecord();
    test.each<[string, boolean, (store: Store) => Promise<unknown>]>([
      ['a token', true, ({ change }) => change((write) => write.tokens.put({ ...token, revokedAt: epoch }))],
      ['a token that goes', true, ({ change }) => change((write) => write.tokens.remove(token.id))],
      ['a user', true, ({ change }) => change((write) => write.users.put(user()))],
      ['an organization', true, ({ change }) => change((write) => write.organizations.put(organization()))],
      ['an application', true, ({ change }) => change((write) => write.applications.put(application()))],
      ['a profile', true, ({ change }) => change((write) => write.profiles.put(profileDraft()))],
      ['rules', true, ({ change }) => change((write) => write.customRules.put(storedRules()))],
      ['the last use of a token', false, ({ tokens }) => tokens.touch(token.id, epoch)],
      ['a scan', false, ({ scans }) => scans.append(scanRecord(1, 1))],
      ['an act', true, ({ change }) => change((write) => write.users.put(user()))],
      ['a session', false, ({ sessions }) => sessions.save(session())],
      ['an act of its own', false, ({ audit }) => audit.append(act())],
    ])('after a change of %s is another: %s', async (_, isAnother, change) => {
      const store = opened();
      await store.change((write) => write.tokens.put(token));
      const before = store.version();
      expect(store.version()).toBe(before);
      await change(store);
      expect(store.version() !== before).toBe(isAnother);
    });

    test('cannot be had of a store that is closed', async () => {
      const store = opened();
      await store.close();
      expect(() => store.version()).toThrow(StoreError);
    });
  });

  describe(`${name}: an act that looks before it writes`, () => {
    /** Writes to every table what `of` is about. */
    const fill = (write: Writes, of: { readonly name: string; readonly at: number }) => {
      const id = `${of.name}-1`;
      write.organizations.put(organization({ id, name: of.name }));
      write.users.put(user({ id, email: `${of.name}@example.org` }));
      write.applications.put(application({ id, name: of.name }));
      write.tokens.put(tokenRecord({ id, userId: id, hash: of.name.repeat(8) }));
      write.customRules.put(storedRules({ version: of.name, updatedAt: of.at }));
      write.profiles.put(profileDraft({ title: of.name }));
      write.sessions.put(session({ id, userId: id }));
      write.audit(act({ target: { kind: 'token', id, name: of.name } }));
    };
    /** All that can be read. */
    const told = (store: Store) => ({
      organizations: store.organizations.list(),
      users: store.users.list(),
      byEmail: ['old@example.org', 'new@example.org'].map((email) => store.users.findByEmail(email)),
      applications: store.applications.list(),
      tokens: store.tokens.list(),
      byHash: ['old', 'new'].map((of) => store.tokens.findByHash(of.repeat(8))),
      rules: [store.customRules.get(orgA), store.customRules.history(orgA)],
      profiles: [store.profiles.list(orgA), store.profiles.history(orgA, 'own')],
      sessions: ['old-1', 'new-1'].map((id) => store.sessions.ofUser(id)),
      audit: store.audit.find({ organizationId: orgA, limit: 100 }).entries,
    });
    const removeAll = (write: Writes, id: string) => {
      write.organizations.remove(id);
      write.users.remove(id);
      write.applications.remove(id);
      write.tokens.remove(id);
      write.customRules.remove(orgA, { updatedAt: epoch });
      write.profiles.remove(orgA, 'own');
      write.sessions.remove([id]);
    };

    test('sees what it wrote, which is stored when it is done', async () => {
      const store = opened();
      const within = await store.change((write) => {
        fill(write, { name: 'old', at: epoch });
        return told(store);
      });
      expect(within.users).toHaveLength(1);
      expect(within.audit).toHaveLength(1);
      expect(told(store)).toEqual(within);
      const gone = await store.change((write) => {
        removeAll(write, 'old-1');
        return told(store);
      });
      expect(gone).toMatchObject({ organizations: [], users: [], applications: [], tokens: [], profiles: [[], []] });
      expect(told(store)).toEqual(gone);
    });

    test.each([
      [
        'a refusal',
        (): never => {
          throw new GuardError('conflict', 'No.');
        },
        GuardError,
      ],
      ['another row with its key', (write: Writes) => write.users.put(user({ email: 'old@example.org' })), StoreError],
    ])('leaves nothing behind where it ends with %s', async (_, end, kind) => {
      const store = opened();
      await store.change((write) => fill(write, { name: 'old', at: epoch }));
      const before = told(store);
      const acting = store.change((write) => {
        fill(write, { name: 'new', at: epoch + 1 });
        removeAll(write, 'old-1');
        write.users.put(user({ id: 'third', email: 'old@example.org' }));
        return end(write);
      });
      await expect(acting).rejects.toBeInstanceOf(kind);
      expect(told(store)).toEqual(before);
      expect(store.health()).toEqual({ ok: true });
      await store.change((write) => fill(write, { name: 'new', at: epoch + 1 }));
      expect(store.users.list()).toHaveLength(2);
    });

    test('finds nothing to remove where there is nothing, and says so', async () => {
      const store = opened();
      const removed = await store.change((write) => [
        write.users.remove('nobody'),
        write.customRules.remove(orgA, { updatedAt: epoch }),
        write.profiles.remove(orgA, 'own'),
      ]);
      expect(removed).toEqual([false, false, false]);
      expect(store.customRules.history(orgA)).toEqual([]);
    });
  });

  describe(`${name}: sessions`, () => {
    test('are saved, found by user, touched and removed', async () => {
      const { sessions } = opened();
      const first = session({ id: 'first', createdAt: epoch + 1 });
      const second = session({ id: 'second' });
      const foreign = session({ id: 'foreign', userId: 'u10' });
      for (const each of [first, second, foreign]) await sessions.save(each);
      expect(sessions.get('first')).toEqual(first);
      expect(sessions.ofUser('u1')).toEqual([second, first]);
      await sessions.touch('first', epoch + 9);
      await sessions.touch('nothing', epoch + 9);
      expect(sessions.get('first')).toEqual({ ...first, lastUsedAt: epoch + 9 });
      await sessions.remove(['first', 'nothing', 'second']);
      expect([sessions.get('first'), sessions.ofUser('u1'), sessions.ofUser('u10')]).toEqual([
        undefined,
        [],
        [foreign],
      ]);
      await sessions.touch('first', epoch + 10);
      expect(sessions.get('first'), 'a touch brings nothing back').toBeUndefined();
    });

    test('that expired, or were not used for long, are purged', async () => {
      const { sessions } = opened();
      await sessions.save(session({ id: 'expired', expiresAt: epoch + 5 }));
      await sessions.save(session({ id: 'idle', lastUsedAt: epoch - 1 }));
      await sessions.save(session({ id: 'open' }));
      expect(await sessions.purge(epoch + 5, epoch)).toBe(2);
      expect(sessions.ofUser('u1').map(({ id }) => id)).toEqual(['open']);
      expect(await sessions.purge(epoch + 5, epoch)).toBe(0);
    });

    test.each(['', 'x'.repeat(5_000), 'a\0b'])('an unknown id is no failure: case %#', (id) => {
      const { sessions } = opened();
      expect(sessions.get(id)).toBeUndefined();
    });
  });

  describe(`${name}: the audit log`, () => {
    test('numbers the acts of each organization without gaps, and lists them newest first', async () => {
      const { audit } = opened();
      for (let n = 0; n < 3; n++) await audit.append(act({ at: epoch + n }));
      await audit.append(act({ organizationId: orgB }));
      const { entries, next } = audit.find({ organizationId: orgA, limit: 10 });
      expect(next).toBeUndefined();
      expect(entries).toEqual([2, 1, 0].map((n) => ({ id: String(n + 1), ...act({ at: epoch + n }) })));
      expect(audit.find({ organizationId: orgB, limit: 10 }).entries.map(({ id }) => id)).toEqual(['1']);
      expect(audit.find({ organizationId: 'unknown', limit: 10 })).toEqual({ entries: [] });
    });

    test('numbers those that come at once, too', async () => {
      const { audit } = opened();
      await Promise.all(Array.from({ length: 20 }, (_, n) => audit.append(act({ at: epoch + n }))));
      const ids = audit.find({ organizationId: orgA, limit: 100 }).entries.map(({ id }) => Number(id));
      expect(ids).toEqual(Array.from({ length: 20 }, (_, n) => 20 - n));
    });

    test('never goes back in time', async () => {
      const { audit } = opened();
      for (const at of [epoch + 5, epoch, epoch + 6]) await audit.append(act({ at }));
      const times = audit.find({ organizationId: orgA, limit: 10 }).entries.map(({ at }) => at - epoch);
      expect(times).toEqual([6, 5, 5]);
    });

    test('is paged, and filtered by action, actor and time', async () => {
      const { audit } = opened();
      for (let n = 0; n < 10; n++) {
        const actor = { via: 'token', userId: `u${n % 3}`, email: `U${n % 3}@example.org` } as const;
        await audit.append(act({ at: epoch + n, actor, action: n % 2 === 0 ? 'user.create' : 'user.delete' }));
      }
      const all = (query: object, limit: number) => {
        const pages: string[][] = [];
        let cursor: string | undefined;
        do {
          const page = audit.find({ organizationId: orgA, limit, ...query, ...(cursor ? { cursor } : {}) });
          pages.push(page.entries.map(({ id }) => id));
          cursor = page.next;
        } while (cursor !== undefined);
        return pages;
      };
      expect(all({}, 4)).toEqual([
        ['10', '9', '8', '7'],
        ['6', '5', '4', '3'],
        ['2', '1'],
      ]);
      expect(all({}, 10)).toEqual([['10', '9', '8', '7', '6', '5', '4', '3', '2', '1']]);
      expect(all({ action: 'user.delete' }, 10)).toEqual([['10', '8', '6', '4', '2']]);
      expect(all({ actor: 'u1' }, 10)).toEqual([['8', '5', '2']]);
      expect(all({ actor: 'u1@example.org', action: 'user.create' }, 10)).toEqual([['5']]);
      expect(all({ from: epoch + 3, to: epoch + 6 }, 10)).toEqual([['6', '5', '4']]);
      expect(all({ from: epoch + 100 }, 10)).toEqual([[]]);
      for (const cursor of ['', '0', '-1', 'x', '1.5', '9'.repeat(20)]) {
        expect(() => audit.find({ organizationId: orgA, limit: 1, cursor })).toThrow(CursorError);
      }
    });

    test('has an act exactly where its change was made', async () => {
      const store = opened();
      const ada = user({ email: 'ada@example.org' });
      await store.change((write) => {
        write.audit(act({ action: 'user.create' }));
        write.users.put(ada);
      });
      const refused = store.change((write) => {
        write.audit(act({ action: 'user.update' }));
        write.users.put(user({ email: 'ADA@example.org' }));
      });
      await expect(refused).rejects.toThrow(StoreError);
      for (const id of ['nobody', ada.id, ada.id]) {
        await store.change((write) => {
          if (write.users.remove(id)) write.audit(act({ action: 'user.delete' }));
        });
      }
      await store.change((write) => {
        write.organizations.put(organization());
        write.audit(act({ action: 'organization.create' }));
      });
      await store.sessions.save(session(), act({ action: 'session.create' }));
      await store.sessions.remove([session().id], act({ action: 'session.end' }));
      expect(actions(store)).toEqual([
        'session.end',
        'session.create',
        'organization.create',
        'user.delete',
        'user.create',
      ]);
    });

    test('belongs to the caller', async () => {
      const { audit } = opened();
      await audit.append(act());
      Object.assign(audit.find({ organizationId: orgA, limit: 1 }).entries[0], { action: 'changed' });
      expect(audit.find({ organizationId: orgA, limit: 1 }).entries[0].action).toBe('token.create');
    });
  });
}
