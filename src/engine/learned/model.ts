import { crc32 } from 'node:zlib';
import { isPolicyCode, type PolicyCode } from '../../domain/policy.js';

/**
 * A learned model: a table of features with a weight for each policy it speaks to. Bytes, little-endian:
 *
 *     0  magic "MRLM"     4  format version     8  CRC-32 of all from 12 on     12  length of meta     16  meta (JSON)
 *
 * then, each at a multiple of 16, the tags and the entries. The table is an array of buckets of eight slots. A feature
 * belongs into the bucket that the low bits of its hash say, or, where that is full, into the next; 16 more bits are its
 * tag, and 0 is the tag of a free slot; free slots are the last ones of a bucket, and one at least is free. An entry is
 * eight bytes:
 *
 *     twice its value, rounded │ word class from 1, or 0 │ a signed weight for each of up to four heads │ two free
 *
 * Weights are of feature and value together. In a window with the features F, presence counting once, a head's sum is
 * bias + scale · Σ weight / √Σ value².
 */
export interface Model {
  /** What `model_version` says. */
  readonly name: string;
  readonly heads: readonly Head[];
  /** Names of the word classes; class 1 is the first. */
  readonly classes: readonly string[];
  readonly bucketCount: number;
  readonly tags: Uint16Array;
  readonly entries: Uint8Array;
}

/** What a model says to one policy. */
export interface Head {
  readonly policy: PolicyCode;
  readonly bias: number;
  readonly scale: number;
  /** The sum from which on there is evidence, and evidence for each point above: see `scoreOf`. */
  readonly offset: number;
  readonly slope: number;
}

export const slotsPerBucket = 8;
export const entryBytes = 8;
export const headsMax = 4;
/** Tokens of a block, and blocks of a window. */
export const blockTokens = 16;
export const windowBlocks = 6;

const classesMax = 255;
const bucketsMax = 1 << 16;
/** No sum of a window gets near the end of what numbers can hold. */
const numberMax = 1e9;
const magic = 0x4d4c524d;
const formatVersion = 1;
const headerBytes = 16;

/** One row of a model's table, before it is laid out. */
export interface Feature {
  readonly hash: number;
  /** From 0 to 127.5; one with 0 is no feature but names a word class. */
  readonly value: number;
  /** From 1, or 0. */
  readonly wordClass: number;
  /** Signed bytes, one for each head. */
  readonly weights: readonly number[];
}

/** The bytes are not a model that this version reads. */
export class ModelFormatError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ModelFormatError';
  }
}

type Meta = Pick<Model, 'name' | 'heads' | 'classes' | 'bucketCount'>;

/** Lays a model out. Throws `RangeError` where features do not fit the table; of two with the same slot the first stays. */
export function encodeModel(parts: Meta, features: Iterable<Feature>): Uint8Array {
  const { bucketCount } = parts;
  const problem = problemOf(parts);
  if (problem) throw new RangeError(problem);
  const tags = new Uint16Array(bucketCount * slotsPerBucket);
  const entries = new Uint8Array(tags.length * entryBytes);
  const table = { bucketCount, tags };
  let free = tags.length - slotsPerBucket;
  for (const { hash, value, wordClass, weights } of features) {
    if (findSlot(table, hash) >= 0) continue;
    if (free-- === 0) throw new RangeError(`more features than ${bucketCount} buckets hold`);
    let slot = bucketOf(table, hash) * slotsPerBucket;
    while (tags[slot] !== 0) slot = (slot + 1) % tags.length;
    tags[slot] = tagOf(hash);
    const entry = entries.subarray(slot * entryBytes);
    entry[0] = Math.round(value * 2);
    entry[1] = wordClass;
    weights.forEach((weight, head) => {
      entry[2 + head] = weight;
    });
  }
  const { name, heads, classes } = parts;
  const meta = Buffer.from(JSON.stringify({ name, heads, classes, bucketCount } satisfies Meta));
  const tagsAt = align(headerBytes + meta.length);
  const bytes = new Uint8Array(tagsAt + tags.byteLength + entries.length);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, magic, true);
  header.setUint32(4, formatVersion, true);
  header.setUint32(12, meta.length, true);
  bytes.set(meta, headerBytes);
  bytes.set(new Uint8Array(tags.buffer), tagsAt);
  bytes.set(entries, tagsAt + tags.byteLength);
  header.setUint32(8, crc32(bytes.subarray(12)), true);
  return bytes;
}

/**
 * Opens a model where it lies, at a multiple of 16; nothing of the table is copied. Throws `ModelFormatError`.
 */
export function decodeModel(bytes: Uint8Array): Model {
  if (bytes.length < headerBytes) throw new ModelFormatError('not a model');
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (header.getUint32(0, true) !== magic) throw new ModelFormatError('not a model');
  const version = header.getUint32(4, true);
  if (version !== formatVersion) throw new ModelFormatError(`format version ${version}, expected ${formatVersion}`);
  if (header.getUint32(8, true) !== crc32(bytes.subarray(12))) throw new ModelFormatError('checksum differs: damaged');
  const metaLength = header.getUint32(12, true);
  if (headerBytes + metaLength > bytes.length) throw new ModelFormatError('length differs: cut off?');
  const meta = parseMeta(Buffer.from(bytes.slice(headerBytes, headerBytes + metaLength)).toString());
  const problem = problemOf(meta);
  if (problem) throw new ModelFormatError(problem);
  const slots = meta.bucketCount * slotsPerBucket;
  const tagsAt = align(headerBytes + metaLength);
  if (bytes.length !== tagsAt + slots * (2 + entryBytes)) throw new ModelFormatError('length differs: cut off?');
  const tags = new Uint16Array(bytes.buffer, bytes.byteOffset + tagsAt, slots);
  if (!isTable(tags)) throw new ModelFormatError('the table is out of order');
  return { ...meta, tags, entries: bytes.subarray(tagsAt + slots * 2) };
}

function parseMeta(text: string): Meta {
  try {
    const { name, heads, classes, bucketCount } = JSON.parse(text) as Meta;
    return { name, heads, classes, bucketCount };
  } catch {
    throw new ModelFormatError('the description cannot be read');
  }
}

/** What is wrong with a model's description, of which nothing is known. */
function problemOf({ name, heads, classes, bucketCount }: Meta): string | undefined {
  if (typeof name !== 'string' || name === '') return 'the model has no name';
  if (!Array.isArray(heads) || heads.length === 0 || heads.length > headsMax) return `not 1 to ${headsMax} heads`;
  if (!heads.every(isHead)) return 'a head is not one';
  if (new Set(heads.map(({ policy }) => policy)).size < heads.length) return 'two heads are of one policy';
  if (!Array.isArray(classes) || classes.length > classesMax) return `not up to ${classesMax} word classes`;
  if (!classes.every((wordClass) => typeof wordClass === 'string')) return 'a word class has no name';
  const isPower = Number.isInteger(bucketCount) && bucketCount > 0 && (bucketCount & (bucketCount - 1)) === 0;
  return isPower && bucketCount <= bucketsMax ? undefined : `not a power of two up to ${bucketsMax} buckets`;
}

function isHead(head: Partial<Head> | null): boolean {
  if (typeof head !== 'object' || head === null || !isPolicyCode(head.policy ?? '')) return false;
  const numbers = [head.bias, head.scale, head.offset, head.slope];
  return numbers.every((number) => typeof number === 'number' && Math.abs(number) <= numberMax);
}

/** The kernel takes this as given: it sees by the last slot of a bucket whether the bucket is full. */
function isTable(tags: Uint16Array): boolean {
  let free = 0;
  for (let slot = 0; slot < tags.length; slot++) {
    if (tags[slot] === 0) free++;
    else if (slot % slotsPerBucket !== 0 && tags[slot - 1] === 0) return false;
  }
  return free > 0;
}

/** Slot of a feature, or −1. */
export function findSlot({ bucketCount, tags }: Pick<Model, 'bucketCount' | 'tags'>, hash: number): number {
  const tag = tagOf(hash);
  const last = bucketCount * slotsPerBucket - 1;
  for (let slot = (hash & (bucketCount - 1)) * slotsPerBucket; ; slot = (slot + 1) & last) {
    const found = tags[slot];
    if (found === tag) return slot;
    if (found === 0) return -1;
  }
}

/**
 * A head's sum as a rule's score, from 0 up to 0.99, so that it joins the rules' scores where those are joined:
 * 1 − e^(−evidence), evidence growing from `offset` on in proportion. Never falls as the sum grows.
 */
export function scoreOf({ offset, slope }: Head, sum: number): number {
  return sum <= offset ? 0 : Math.min(scoreMax, 1 - Math.exp(-slope * (sum - offset)));
}

const scoreMax = 0.99;

function bucketOf({ bucketCount }: Pick<Model, 'bucketCount'>, hash: number): number {
  return hash & (bucketCount - 1);
}

function tagOf(hash: number): number {
  return hash >>> 16 || 1;
}

function align(offset: number): number {
  return (offset + 15) & ~15;
}
