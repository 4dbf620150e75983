import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  aloneFrom,
  classOf,
  decodeModel,
  encodeModel,
  findSlot,
  type Head,
  ModelFormatError,
  twiceValueOf,
  weightOf,
  worthOf,
} from '../../../src/engine/learned/model.js';
import { modelOf } from './model-of.js';

const head: Head = { policy: 'LLM01', bias: 0, scale: 1, prior: 0, cut: 0, lengthCost: 0, offset: 0, slope: 1 };
const meta = { name: 'm', heads: [head], classes: ['x'], wordBuckets: 1, gramBuckets: 2 };
const feature = (hash: number, value = 1) => ({ hash, value, wordClass: 0, weights: [1] });

/** A model with another description, or other bytes behind it, and a checksum that agrees. */
function forge(
  change: (description: Record<string, unknown>) => unknown,
  table?: (bytes: Uint8Array) => void,
): Uint8Array {
  const description = Buffer.from(JSON.stringify(change({ ...meta })));
  const tagsAt = (16 + description.length + 15) & ~15;
  const bytes = new Uint8Array(tagsAt + 8 * 6 + 2 * 8 * 4);
  const header = new DataView(bytes.buffer);
  bytes.set(encodeModel(meta, []).subarray(0, 8));
  header.setUint32(12, description.length, true);
  bytes.set(description, 16);
  table?.(bytes.subarray(tagsAt));
  header.setUint32(8, crc32(bytes.subarray(12)), true);
  return bytes;
}

describe('decodeModel', () => {
  it('opens what encodeModel wrote', () => {
    const hashes = [0x10001, 0x20001, 0x30000, -1, -0x10000, 0];
    const model = decodeModel(
      encodeModel(
        meta,
        hashes.map((hash) => feature(hash)),
      ),
    );
    expect(model).toMatchObject(meta);
    for (const hash of hashes) expect(findSlot(model, hash), `${hash}`).toBeGreaterThanOrEqual(0);
    expect(findSlot(model, 0x40001)).toBe(-1);
    expect(decodeModel(forge((same) => same))).toMatchObject(meta);
  });

  it.each([
    ['a foreign file', (bytes: Uint8Array) => bytes.fill(0x7f, 0, 4), /not a model/],
    ['another version', (bytes: Uint8Array) => bytes.fill(99, 4, 5), /format version 99/],
    ['a flipped bit', (bytes: Uint8Array) => bytes.fill(bytes[100] ^ 1, 100, 101), /checksum differs/],
    ['a changed checksum', (bytes: Uint8Array) => bytes.fill(bytes[8] ^ 1, 8, 9), /checksum differs/],
  ] as const)('refuses %s', (_, damage, message) => {
    const bytes = modelOf({ texts: ['one two three'] });
    damage(bytes);
    expect(() => decodeModel(bytes)).toThrowError(message);
  });

  it.each([0, 3, 15, 16, 40, 500])('refuses one cut off at %i bytes', (length) => {
    const bytes = modelOf({ texts: ['one two three'] }).slice(0, length);
    expect(() => decodeModel(bytes)).toThrowError(ModelFormatError);
    if (length < 16) return;
    new DataView(bytes.buffer).setUint32(8, crc32(bytes.subarray(12)), true);
    expect(() => decodeModel(bytes), 'though its checksum agrees').toThrowError(/cut off|cannot be read/);
  });

  it.each([
    ['no description', () => null, /cannot be read/],
    ['no name', (m: object) => ({ ...m, name: '' }), /no name/],
    ['no heads', (m: object) => ({ ...m, heads: [] }), /not 1 to 4 heads/],
    ['five heads', (m: object) => ({ ...m, heads: [1, 2, 3, 4, 5] }), /not 1 to 4 heads/],
    ['nine heads of words', (m: object) => ({ ...m, heads: Array(9).fill(head), gramBuckets: 0 }), /not 1 to 8 heads/],
    ['less than no n-grams', (m: object) => ({ ...m, gramBuckets: -1 }), /n-grams/],
    ['a head of no policy', (m: object) => ({ ...m, heads: [{ ...head, policy: 'LLM99' }] }), /a head/],
    ['a head without numbers', (m: object) => ({ ...m, heads: [{ ...head, bias: null }] }), /a head/],
    ['a prior below nothing', (m: object) => ({ ...m, heads: [{ ...head, prior: -1 }] }), /a head/],
    ['a length that pays', (m: object) => ({ ...m, heads: [{ ...head, lengthCost: -1 }] }), /a head/],
    ['a number beyond all', (m: object) => ({ ...m, heads: [{ ...head, scale: 1e300 }] }), /a head/],
    ['two heads of a policy', (m: object) => ({ ...m, heads: [head, head] }), /one policy/],
    ['classes that are none', (m: object) => ({ ...m, classes: [1] }), /word class/],
    ['too many classes', (m: object) => ({ ...m, classes: Array.from({ length: 256 }, () => 'x') }), /word classes/],
    ['half a bucket', (m: object) => ({ ...m, gramBuckets: 1.5 }), /buckets/],
    ['no bucket', (m: object) => ({ ...m, wordBuckets: 0 }), /buckets/],
    ['too many buckets', (m: object) => ({ ...m, gramBuckets: 1 << 20 }), /buckets/],
    ['more buckets than there are', (m: object) => ({ ...m, gramBuckets: 4 }), /length differs/],
  ] as const)('refuses a sound file with %s', (_, change, message) => {
    expect(() => decodeModel(forge(change))).toThrowError(ModelFormatError);
    expect(() => decodeModel(forge(change))).toThrowError(message);
  });

  it('takes a head without a prior or a cost of length for one with none', () => {
    const { prior: _, lengthCost: __, ...before } = head;
    expect(decodeModel(forge((m: object) => ({ ...m, heads: [before] }))).heads).toEqual([head]);
  });

  it('refuses a table in which a search would not end', () => {
    const words = (bytes: Uint8Array) => bytes.fill(1, 14, 15);
    const grams = (bytes: Uint8Array) => bytes.fill(1, 30, 31).fill(1, 46, 47);
    expect(() => decodeModel(forge((same) => same, words))).toThrowError(/out of order/);
    expect(() => decodeModel(forge((same) => same, grams))).toThrowError(/out of order/);
  });
});

describe('encodeModel', () => {
  it('keeps what a word says and names, and of an n-gram the one or the other', () => {
    const word = 1 << 31;
    const heads = (['LLM01', 'LLM02', 'LLM05'] as const).map((policy) => ({ ...head, policy }));
    const model = decodeModel(
      encodeModel({ ...meta, heads }, [
        { hash: word, value: 3, wordClass: 1, weights: [4, -5, 6], aloneWeights: [7, 8, -9] },
        { hash: 1, value: 2.5, wordClass: 0, weights: [-1, 127, -128] },
        { hash: 2 << 16, value: 0, wordClass: 200, weights: [1, 1, 1] },
      ]),
    );
    const [ofWord, ofGram, ofClass] = [word, 1, 2 << 16].map((hash) => findSlot(model, hash));
    const weights = [0, 1, 2].map((place) => aloneFrom(model) + place);
    expect([0, 1, 2, ...weights].map((place) => weightOf(model, ofWord, place))).toEqual([4, -5, 6, 7, 8, -9]);
    expect([0, 1, 2].map((place) => weightOf(model, ofGram, place))).toEqual([-1, 127, -128]);
    expect([ofWord, ofGram, ofClass].map((slot) => twiceValueOf(model, slot))).toEqual([6, 5, 0]);
    expect([ofWord, ofGram, ofClass].map((slot) => classOf(model, slot))).toEqual([1, 0, 200]);
    const both = { hash: 1, value: 1, wordClass: 1, weights: [1] };
    expect(() => encodeModel(meta, [both])).toThrowError(RangeError);
  });

  it('refuses more heads than a kernel has lanes, and more features than there is room for', () => {
    const policies = ['LLM01', 'LLM02', 'LLM05', 'LLM06', 'LLM07'] as const;
    const heads = policies.map((policy) => ({ ...head, policy }));
    expect(() => encodeModel({ ...meta, heads }, [])).toThrowError(RangeError);
    const features = Array.from({ length: 14 }, (_, i) => feature((i + 1) << 16));
    expect(() => encodeModel(meta, features)).toThrowError(RangeError);
    const model = decodeModel(encodeModel(meta, features.slice(1)));
    for (const { hash } of features.slice(1)) expect(findSlot(model, hash)).toBeGreaterThanOrEqual(0);
    expect(findSlot(model, features[0].hash)).toBe(-1);
  });

  it('opens a model of words alone, which has room for more heads and for no n-gram', () => {
    const policies = ['LLM01', 'LLM02', 'LLM05', 'LLM06', 'LLM07', 'LLM08'] as const;
    const parts = { ...meta, heads: policies.map((policy) => ({ ...head, policy })), gramBuckets: 0 };
    const word = 1 << 31;
    const model = decodeModel(encodeModel(parts, [{ ...feature(word), weights: [1, 2, 3, 4, 5, -6] }]));
    expect(model).toMatchObject(parts);
    expect(weightOf(model, findSlot(model, word), aloneFrom(model) + 5)).toBe(-6);
    expect(findSlot(model, 1)).toBe(-1);
    expect(() => encodeModel(parts, [feature(1)])).toThrowError(RangeError);
  });
});

describe('worthOf', () => {
  it('takes more off the longer a text is, nothing off a short one, and no more however far it is filled up', () => {
    const worth = (units: number) => worthOf({ lengthCost: 0.5 }, 3, units);
    expect(worth(0)).toBe(3);
    expect(worth(300)).toBe(3);
    expect(worth(600)).toBeCloseTo(3 - 0.5 * Math.LN2, 9);
    expect(worth(1_500)).toBeCloseTo(3 - 0.5 * Math.log(5), 9);
    expect(worth(1_000_000)).toBe(worth(1_500));
    expect(worthOf({ lengthCost: 0 }, 3, 1_000)).toBe(3);
  });
});
