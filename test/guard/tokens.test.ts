import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { LRUCache } from 'lru-cache';
import { describe, expect, test } from 'vitest';
import { type ErrorCode, GuardError } from '../../src/domain/errors.js';
import { limits } from '../../src/domain/limits.js';
import {
  adoptToken,
  generateToken,
  hashToken,
  issueToken,
  isWellFormedToken,
  tokenKind,
  tokenPrefix,
  type VerifiedToken,
  verifyToken,
} from '../../src/guard/tokens.js';
import { type Store, StoreError } from '../../src/store/store.js';
import { epoch, user } from '../store/samples.js';
import { stores } from '../store/stores.js';

describe('the form of a token', () => {
  test.each([
    ['pat', /^mrl_pat_[0-9A-Za-z]{33}$/],
    ['service', /^mrl_key_[0-9A-Za-z]{33}$/],
  ] as const)('%s: prefix, 27 random characters, checksum', (kind, form) => {
    const tokens = Array.from({ length: 500 }, () => generateToken(kind));
    for (const token of tokens) {
      expect(token).toMatch(form);
      expect(isWellFormedToken(token)).toBe(true);
      expect(tokenKind(token)).toBe(kind);
      expect(tokenPrefix(token)).toBe(token.slice(0, 12));
    }
    expect(new Set(tokens).size).toBe(500);
    for (let at = 8; at < 35; at++) expect(new Set(tokens.map((token) => token[at])).size).toBeGreaterThan(40);
  });

  test('the checksum is the CRC-32 of what is before it, in base 62', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const token = generateToken('pat');
    const value = [...token.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(value).toBe(crc32(token.slice(0, -6)));
    // Computed with another implementation of CRC-32.
    expect(isWellFormedToken(`mrl_pat_${'0'.repeat(27)}3cLUb4`)).toBe(true);
  });

  test('any change to one character is noticed', () => {
    const change = fc.record({ at: fc.nat({ max: 40 }), by: fc.constantFrom(...'0Aaz9_- \n\u00e9') });
    let changed = 0;
    fc.assert(
      fc.property(fc.constantFrom('pat' as const, 'service' as const), change, (kind, { at, by }) => {
        const token = generateToken(kind);
        fc.pre(token[at] !== by);
        changed++;
        expect(isWellFormedToken(token.slice(0, at) + by + token.slice(at + 1))).toBe(false);
      }),
      { numRuns: 500 },
    );
    expect(changed).toBe(500);
  });

  const token = generateToken('pat');
  test.each([
    '',
    'mrl_pat_',
    'mrl_pat_short',
    token.slice(0, -1),
    `${token}0`,
    `${token}\n`,
    ` ${token}`,
    token.toLowerCase(),
    token.replace('mrl_pat_', 'mrl_key_'),
    token.replace('mrl_pat_', 'mrl_abc_'),
    'x'.repeat(10_000_000),
  ])('is not had by case %#', (text) => {
    expect(isWellFormedToken(text)).toBe(false);
  });

  test('its hash is SHA-256 in lowercase hex', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

const day = 24 * 60 * 60 * 1_000;

function newCache(max: number = limits.principalCacheMax) {
  return new LRUCache<string, VerifiedToken>({ max });
}

async function withUser(open: () => Store, values: Parameters<typeof user>[0] = {}) {
  const store = open();
  const ada = user({ profileId: 'strict', ...values });
  await store.change((write) => write.users.put(ada));
  return { store, ada, request: { userId: ada.id, name: 'laptop', scopes: ['guard:scan', 'results:read'] } };
}

function failsNever(error: unknown): void {
  throw error;
}

/** The code of the `GuardError` that the action throws; its texts must not hold the secret. */
function refusalOf(action: () => unknown, secret: string): ErrorCode | undefined {
  try {
    action();
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    const told = JSON.stringify([error.message, error.fields, error.stack]);
    if (secret !== '') expect(told).not.toContain(secret);
    return error.code;
  }
  return undefined;
}

describe.each(stores)('issuing with %s', (_, open) => {
  test.each([
    [false, 'pat', 'mrl_pat_'],
    [true, 'service', 'mrl_key_'],
  ] as const)('service user %s: a token of kind %s', async (service, kind, prefix) => {
    const { store, ada, request } = await withUser(open, { service });
    const { token, record } = await store.change((write) =>
      issueToken(store, write, { ...request, expiresAt: epoch + day }, epoch),
    );
    expect(token.startsWith(prefix)).toBe(true);
    expect(store.tokens.get(record.id)).toEqual(record);
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      hash: hashToken(token),
      kind,
      organizationId: ada.organizationId,
      userId: ada.id,
      name: 'laptop',
      prefix: token.slice(0, 12),
      scopes: ['guard:scan', 'results:read'],
      createdAt: epoch,
      expiresAt: epoch + day,
    });
    expect(JSON.stringify(store.tokens.list())).not.toContain(token);
  });

  test.each([
    ['/user', { userId: 'nobody' }],
    ['/name', { name: '' }],
    ['/name', { name: ' \t' }],
    ['/name', { name: 'x'.repeat(129) }],
    ['/name', { name: 'red \u001b[31m' }],
    ['/scopes', { scopes: [] }],
    ['/scopes', { scopes: ['guard:scan', 'everything'] }],
    ['/expires_at', { expiresAt: epoch }],
    ['/expires_at', { expiresAt: Number.NaN }],
    ['/expires_at', { expiresAt: epoch + 0.5 }],
    ['/expires_at', { expiresAt: Date.parse('9999-12-31T23:59:59-12:00') }],
  ])('names %s where it is wrong', async (pointer, values) => {
    const { store, request } = await withUser(open);
    const issuing = store.change((write) => issueToken(store, write, { ...request, ...values }, epoch));
    await expect(issuing).rejects.toMatchObject({ code: 'invalid_input', fields: [{ pointer }] });
    expect(store.tokens.list()).toEqual([]);
  });

  test('adopts exactly the given token, once', async () => {
    const { store, request } = await withUser(open);
    const token = generateToken('pat');
    const { record } = await store.change((write) => adoptToken(store, write, token, request, epoch));
    expect(verifyToken(store, newCache(), token, epoch, failsNever)).toMatchObject({ credentialId: record.id });
    await expect(store.change((write) => adoptToken(store, write, token, request, epoch))).rejects.toMatchObject({
      fields: [{ pointer: '/token' }],
    });
  });

  test.each(['', 'secret', `${generateToken('pat')}x`, generateToken('service')])(
    'adopts no other: case %#',
    async (token) => {
      const { store, request } = await withUser(open);
      const error: unknown = await store
        .change((write) => adoptToken(store, write, token, request, epoch))
        .catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'invalid_input', fields: [{ pointer: '/token' }] });
      if (token !== '') expect(String(error)).not.toContain(token);
      expect(store.tokens.list()).toEqual([]);
    },
  );
});

describe.each(stores)('verifying with %s', (_, open) => {
  test('gives the principal, with the profile that the user has now', async () => {
    const { store, ada, request } = await withUser(open);
    const { token, record } = await store.change((write) => issueToken(store, write, request, epoch));
    const cache = newCache();
    const principal = {
      credentialId: record.id,
      userId: ada.id,
      organizationId: ada.organizationId,
      scopes: ['guard:scan', 'results:read'],
    };
    expect(verifyToken(store, cache, token, epoch, failsNever)).toMatchObject({ ...principal, profileId: 'strict' });
    await store.change((write) => write.users.put({ ...ada, profileId: 'observe' }));
    expect(verifyToken(store, cache, token, epoch, failsNever)).toMatchObject({ ...principal, profileId: 'observe' });
  });

  test.each<[string, (store: Store, tokenId: string, userId: string) => Promise<unknown>, number]>([
    ['revoked', (store, tokenId) => revoke(store, tokenId), 0],
    ['removed', (store, tokenId) => store.change((write) => write.tokens.remove(tokenId)), 0],
    ['of a removed user', (store, _tokenId, userId) => store.change((write) => write.users.remove(userId)), 0],
    ['expired', async () => {}, day],
  ])('refuses a token that is %s, at once, though it was verified just before', async (_reason, end, laterMs) => {
    const { store, ada, request } = await withUser(open);
    const { token, record } = await store.change((write) =>
      issueToken(store, write, { ...request, expiresAt: epoch + day }, epoch),
    );
    const cache = newCache();
    const verify = (now: number) => verifyToken(store, cache, token, now, failsNever);
    verify(epoch + day - 1);
    await end(store, record.id, ada.id);
    expect(refusalOf(() => verify(epoch + laterMs), token)).toBe('unauthorized');
    expect(cache.size).toBe(0);
  });

  test('asks the store for a token once, until anything changes', async () => {
    const { store, ada, request } = await withUser(open);
    const { token } = await store.change((write) => issueToken(store, write, request, epoch));
    let asked = 0;
    const findByHash = (hash: string) => {
      asked++;
      return store.tokens.findByHash(hash);
    };
    const watched: Store = { ...store, tokens: { ...store.tokens, findByHash } };
    const cache = newCache();
    const verify = () => verifyToken(watched, cache, token, epoch, failsNever);
    const first = verify();
    await settled(store);
    expect([verify(), verify()]).toEqual([first, first]);
    const asksBefore = asked;
    await store.change((write) => write.users.put({ ...ada, role: 'viewer' }));
    expect([verify().role, verify().role]).toEqual(['viewer', 'viewer']);
    expect([asksBefore, asked]).toEqual([1, 2]);
  });

  test.each(['', 'Bearer', 'mrl_pat_', `${generateToken('pat')}\0`, 'x'.repeat(1_000_000)])(
    'refuses what is malformed without asking the store: case %#',
    async (token) => {
      const { store } = await withUser(open);
      await store.close();
      expect(refusalOf(() => verifyToken(store, newCache(), token, epoch, failsNever), token)).toBe('unauthorized');
    },
  );

  test('refuses a well-formed token that nobody issued', async () => {
    const { store } = await withUser(open);
    const token = generateToken('pat');
    expect(refusalOf(() => verifyToken(store, newCache(), token, epoch, failsNever), token)).toBe('unauthorized');
  });

  test('while the store cannot be read, knows the tokens that it knew, until they expire', async () => {
    const { store, request } = await withUser(open);
    const known = await store.change((write) =>
      issueToken(store, write, { ...request, expiresAt: epoch + day }, epoch),
    );
    const strange = await store.change((write) => issueToken(store, write, request, epoch));
    const cache = newCache();
    const before = verifyToken(store, cache, known.token, epoch, failsNever);
    await store.close();

    const failures: unknown[] = [];
    const verify = (token: string, now: number) =>
      verifyToken(store, cache, token, now, (error) => failures.push(error));
    expect(verify(known.token, epoch + day - 1)).toEqual(before);
    expect(refusalOf(() => verify(known.token, epoch + day), known.token)).toBe('unauthorized');
    expect(refusalOf(() => verify(strange.token, epoch), strange.token)).toBe('store_unavailable');
    expect(refusalOf(() => verify(generateToken('pat'), epoch), '')).toBe('store_unavailable');
    expect(failures).toHaveLength(4);
    expect(failures.every((error) => error instanceof StoreError)).toBe(true);
  });

  test('remembers no more principals than its cache holds', async () => {
    const { store, request } = await withUser(open);
    const issued = await Promise.all(
      Array.from({ length: 5 }, () => store.change((write) => issueToken(store, write, request, epoch))),
    );
    const cache = newCache(3);
    for (const { token } of issued) verifyToken(store, cache, token, epoch, failsNever);
    await store.close();
    const codes = issued.map(({ token }) => refusalOf(() => verifyToken(store, cache, token, epoch, () => {}), token));
    expect(codes).toEqual(['store_unavailable', 'store_unavailable', undefined, undefined, undefined]);
  });

  test('writes the time of last use at most once a minute, over all requests and restarts', async () => {
    const { store, request } = await withUser(open);
    const { token, record } = await store.change((write) => issueToken(store, write, request, epoch));
    const touches: number[] = [];
    const watched: Store = {
      ...store,
      tokens: {
        ...store.tokens,
        touch: (id, at) => {
          touches.push(at);
          return store.tokens.touch(id, at);
        },
      },
    };
    const minute = limits.tokenLastUseMs;
    const cache = newCache();
    // The first three come before the first touch is written.
    for (const at of [0, 0, 1]) verifyToken(watched, cache, token, epoch + at, failsNever);
    await settled(store);
    for (const at of [2, minute - 1]) verifyToken(watched, newCache(), token, epoch + at, failsNever);
    for (const at of [minute, minute + 1, 2 * minute]) verifyToken(watched, cache, token, epoch + at, failsNever);
    expect(touches).toEqual([epoch, epoch + minute, epoch + 2 * minute]);
    await settled(store);
    expect(store.tokens.get(record.id)).toEqual({ ...record, lastUsedAt: epoch + 2 * minute });
  });

  test('goes on when the time of last use cannot be written, and tells', async () => {
    const { store, request } = await withUser(open);
    const { token } = await store.change((write) => issueToken(store, write, request, epoch));
    const other = open();
    await other.close();
    const failing: Store = { ...store, tokens: { ...store.tokens, touch: (id, at) => other.tokens.touch(id, at) } };
    const failure = new Promise((resolve) => {
      expect(verifyToken(failing, newCache(), token, epoch, resolve)).toMatchObject({ profileId: 'strict' });
    });
    expect(await failure).toBeInstanceOf(StoreError);
  });
});

async function revoke(store: Store, id: string): Promise<void> {
  const record = store.tokens.get(id);
  if (record) await store.change((write) => write.tokens.put({ ...record, revokedAt: epoch }));
}

/** Writes are done in order: when this one is done, so are those before. */
async function settled(store: Store): Promise<void> {
  await store.tokens.touch('nothing', epoch);
}
