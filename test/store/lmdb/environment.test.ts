import { expect, onTestFinished, test } from 'vitest';
import { type EnvironmentOptions, openEnvironment } from '../../../src/store/lmdb/environment.js';
import { StoreError } from '../../../src/store/store.js';
import { temporaryFolder } from '../samples.js';

function begin(options?: EnvironmentOptions) {
  const environment = openEnvironment(temporaryFolder(), options);
  onTestFinished(() => environment.close());
  const table = environment.openTable('rows');
  const put = (key: string) => table.putSync(Buffer.from(key), Buffer.from(key));
  const keys = () => environment.read(() => [...table.getKeys()].map((key) => key.toString()));
  return { environment, put, keys };
}

test('an action that throws leaves nothing behind, and takes nothing along that is written with it', async () => {
  const { environment, put, keys } = begin();
  const refusal = new StoreError('Not this one.');
  const outcomes = await Promise.allSettled([
    environment.write(() => put('before')),
    environment.write(() => {
      put('half');
      throw refusal;
    }),
    environment.write(() => put('after')),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: refusal });
  expect(keys()).toEqual(['after', 'before']);
  expect(environment.health()).toEqual({ ok: true });
});

test('a failure of LMDB itself becomes a StoreError and is told by health until a write succeeds', async () => {
  const { environment, put, keys } = begin();
  const failing = environment.write(() => {
    put('half');
    put('k'.repeat(3_000));
  });
  await expect(failing).rejects.toThrow(StoreError);
  expect(environment.health()).toEqual({ ok: false, reason: expect.stringMatching(/cannot be written: Key size/) });
  expect(environment.pauseReason()).toMatch(/cannot be written/);
  expect(keys()).toEqual([]);
  await environment.write(() => put('next'));
  expect(environment.health()).toEqual({ ok: true });
  expect(environment.pauseReason()).toBeUndefined();
});

test('a write is tried after a failure where nobody wants any', async () => {
  const { environment, put } = begin({ recheckMs: 20 });
  await expect(environment.write(() => put('k'.repeat(3_000)))).rejects.toThrow(StoreError);
  expect(environment.health().ok).toBe(false);
  await expect.poll(() => environment.health()).toEqual({ ok: true });
});

test('a failed read is told by health until one succeeds', () => {
  const { environment, keys } = begin();
  const failing = () =>
    environment.read(() => {
      throw new Error('MDB_CORRUPTED');
    });
  expect(failing).toThrow(new StoreError('The store cannot be read: MDB_CORRUPTED.'));
  expect(environment.health()).toEqual({ ok: false, reason: 'The store cannot be read: MDB_CORRUPTED.' });
  keys();
  expect(environment.health()).toEqual({ ok: true });
});
