import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../samples.js';
import { startChild } from './child.js';

/*
 * A full disk that needs no mount and no root: the system refuses the child every write behind an offset (`ulimit -f`),
 * in the middle of LMDB's commits. Where some of a
 * write fits, LMDB calls it an input/output error.
 */
const reason = /^The store cannot be written: (File too large|Input\/output error .*room.*)\.$/;
const unhealthy = { ok: false, reason: expect.stringMatching(reason) };
const refusal = expect.stringMatching(/^StoreError: The store cannot be written/);

test('a full disk rejects appends, is told by health, leaves reads alone, and a purge frees it', async () => {
  const child = startChild('fill-disk', [join(temporaryFolder(), 'data'), 'recover'], 2_100_000);
  const { code, errors } = await child.ended;
  expect({ code, steps: child.lines }).toEqual({
    code: 0,
    steps: [
      { step: 'full', stored: expect.any(Number), failure: refusal, health: unhealthy },
      { step: 'still full', rejections: [refusal], health: unhealthy },
      expect.objectContaining({ step: 'reads', newest: 1, organization: 'Example' }),
      { step: 'purged', purged: expect.any(Number), health: { ok: true } },
      { step: 'recovered', appended: true, total: 1, health: { ok: true } },
      { step: 'closed', promptly: true, unhandled: 0 },
    ],
  });
  const [{ stored }, , { total, walked }, { purged }] = child.lines as Record<string, number>[];
  expect(stored).toBeGreaterThan(500);
  // What was promised is there, and what was refused is not.
  expect({ total, walked, purged }).toEqual({ total: stored, walked: stored, purged: stored });
  // LMDB prints each failure itself: the two thousand appends that came after the first one were not even tried.
  expect(errors.match(/Attempting to write/g)?.length ?? 0).toBeLessThan(50);
});

test('a store whose last write failed closes all the same', async () => {
  const child = startChild('fill-disk', [join(temporaryFolder(), 'data'), 'leave'], 600_000);
  expect((await child.ended).code).toBe(0);
  expect(child.lines.at(-1)).toEqual({ step: 'closed', promptly: true, unhandled: 0 });
});

test.each([0, 2_048, 8_192, 65_536])('a disk with room for %i bytes refuses a new store in words', async (bytes) => {
  const folder = join(temporaryFolder(), 'data');
  const { code, signal, errors } = await startChild('fill-disk', [folder], bytes).ended;
  expect({ code, signal }).toEqual({ code: 1, signal: null });
  expect(errors).toMatch(/StoreError: The data folder .* cannot be used: EFBIG: file too large/);
  // And leaves no probe behind.
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
});
