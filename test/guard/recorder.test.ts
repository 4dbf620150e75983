import { describe, expect, test } from 'vitest';
import type { Durability } from '../../src/domain/durability.js';
import { createRecorder } from '../../src/guard/recorder.js';
import { StoreError } from '../../src/store/store.js';
import { scanRecord } from '../store/samples.js';

/** A recorder over a log whose transactions end when the test says so. */
function begin(durability: Durability, confirmMs = 60_000) {
  const counts = { failures: 0, dropped: 0, texts: 0, unconfirmed: 0 };
  let transaction = withResolvers();
  let serial = 0;
  const recorder = createRecorder({
    scans: { append: () => transaction.promise },
    durability,
    confirmMs,
    events: {
      storeFailed: () => {
        counts.failures++;
      },
      recordDropped: (count) => {
        counts.dropped += count;
      },
      textDropped: (count) => {
        counts.texts += count;
      },
      recordUnconfirmed: () => {
        counts.unconfirmed++;
      },
    },
  });
  return {
    counts,
    recorder,
    save: () => recorder.save(scanRecord(serial, serial++), undefined),
    end: (how: 'whole' | 'textless' | 'failed') => {
      const { resolve, reject } = transaction;
      transaction = withResolvers();
      if (how === 'failed') reject(new StoreError('The disk is full.'));
      else resolve(how === 'whole');
    },
  };
}

describe('relaxed', () => {
  test('nothing waits; a lost transaction is one failure and counts each of its records', async () => {
    const { recorder, save, end, counts } = begin('relaxed');
    expect([save(), save(), save()]).toEqual([undefined, undefined, undefined]);
    const settled = recorder.settled();
    expect(settled).toBeInstanceOf(Promise);
    end('failed');
    expect(save()).toBeUndefined();
    await settled;
    expect(counts).toEqual({ failures: 1, dropped: 3, texts: 0, unconfirmed: 0 });
    end('textless');
    await recorder.settled();
    expect(counts).toEqual({ failures: 1, dropped: 3, texts: 1, unconfirmed: 0 });
    expect(recorder.settled()).toBeUndefined();
  });

  test('a log that refuses at once is a loss like any other', () => {
    const lost: number[] = [];
    const recorder = createRecorder({
      scans: {
        append: () => {
          throw new StoreError('closed');
        },
      },
      durability: 'relaxed',
      events: {
        storeFailed: () => lost.push(0),
        recordDropped: (count) => lost.push(count),
        textDropped: () => undefined,
        recordUnconfirmed: () => undefined,
      },
    });
    expect(recorder.save(scanRecord(0, 0), undefined)).toBeUndefined();
    expect(lost).toEqual([1, 0]);
  });
});

describe.each(['committed', 'flushed'] as const)('%s', (durability) => {
  test('a scan waits for its own transaction and hears how it ended', async () => {
    const { save, end, counts } = begin(durability);
    const [first, second] = [save(), save()];
    const told: unknown[] = [];
    void first?.then((isStored) => told.push(isStored));
    await Promise.resolve();
    expect(told).toEqual([]);
    end('whole');
    const third = save();
    expect([await first, await second]).toEqual([true, true]);
    end('failed');
    expect(await third).toBe(false);
    expect(counts).toEqual({ failures: 1, dropped: 1, texts: 0, unconfirmed: 1 });
  });

  test('no scan waits longer than it may; its record may be stored all the same', async () => {
    const { recorder, save, end, counts } = begin(durability, 5);
    expect(await save()).toBe(false);
    expect(counts).toEqual({ failures: 0, dropped: 0, texts: 0, unconfirmed: 1 });
    const settled = recorder.settled();
    end('whole');
    await settled;
    expect(recorder.settled()).toBeUndefined();
  });
});

/** `Promise.withResolvers`, which Node 20 lacks. */
function withResolvers() {
  let resolve: (isWhole: boolean) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<boolean>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { promise, resolve, reject };
}
