import { crc32 } from 'node:zlib';
import { isPolicyCode, type PolicyCode } from '../../domain/policy.js';
import { isWord } from './features.js';

/**
 * A learned model: a table of features with a weight for each policy it speaks to. Bytes, little-endian:
 *
 *     0  magic "MRLM"     4  format version     8  CRC-32 of all from 12 on     12  length of meta     16  meta (JSON)
 *
 * then, each at a multiple of 16, the tags and the entries. There are two tables, of single words and behind it of all
 * other features. A table is an array of buckets of eight slots, of which seven can be taken. A feature belongs into the
 * bucket that the low 16 bits of its hash say (`bucketOf`), or, where that is full, into the next; the other 16 bits are
 * its tag, and 0 is the tag of a free slot. In place of an eighth tag a bucket has its overflow: the bit numbered by the low
 * four of a tag is set where a feature with such a tag found no room in it. So a search for what a model does not know
 * hardly ever goes on beyond a full bucket. One bucket of a table at least has no overflow. An entry, as many bytes as the
 * next power of two, is of a word, of any other feature, or of what only names a word class:
 *
 *     twice its value, rounded │ word class from 1, or 0 │ a signed weight for each head
 *     │ the weight where words are summed up alone, for each head
 *     twice its value, rounded │ a signed weight for each head
 *     0                        │ word class from 1
 *
 * A word can be a feature and name a class, too; an n-gram is the one or the other. A model of words alone has no other
 * table, and of each word one weight for a head: it serves for both sums.
 *
 * Weights are of feature and value together; what only names a word class has neither. In a window with the features F,
 * presence counting once, a head's sum is bias + scale · Σ weight / √(prior + Σ value²). Of most windows the words alone tell
 * that there is nothing: a head passes over those in which Σ weight alone / √Σ value² of the words is below its `cut`.
 */
export interface Model {
  /** What `model_version` says. */
  readonly name: string;
  readonly heads: readonly Head[];
  /** Names of the word classes; class 1 is the first. */
  readonly classes: readonly string[];
  /** Buckets of the words, and of all other features: 0 in a model of words alone. */
  readonly wordBuckets: number;
  readonly gramBuckets: number;
  readonly tags: Uint16Array;
  /** Those of the words, and behind them all others. */
  readonly entries: Uint8Array;
  readonly entrySizes: EntrySizes;
}

/** Bytes of an entry of the words, and of one of all others. */
interface EntrySizes {
  readonly word: number;
  readonly gram: number;
}

/** What a model says to one policy. */
export interface Head {
  readonly policy: PolicyCode;
  readonly bias: number;
  readonly scale: number;
  /** What stands below the root in any case, so that a few words alone say little; not below 0, and 0 where a file has none. */
  readonly prior: number;
  /** How much the words of a window speak for an attack, at the least, where it is looked at. */
  readonly cut: number;
  /** How much more a longer text's sum must be, for each e times the length: see `worthOf`. Not below 0, and 0 where a file has none. */
  readonly lengthCost: number;
  /** The sum from which on there is evidence, and evidence for each point above: see `scoreOf`. */
  readonly offset: number;
  readonly slope: number;
}

/** Of a bucket: slots in all, and those that features take. */
export const slotsPerBucket = 8;
export const featuresPerBucket = 7;
/** Heads of any model, and of one that knows more than words. */
export const headsMax = 8;
export const headsWithGramsMax = 4;
/** Tokens of a block, and blocks of a window. */
export const blockTokens = 16;
export const windowBlocks = 6;

const classesMax = 255;
const bucketsMax = 1 << 16;
/** No sum of a window gets near the end of what numbers can hold. */
const numberMax = 1e9;
const magic = 0x4d4c524d;
const formatVersion = 3;
const headerBytes = 16;

/** One row of a model's table, before it is laid out. */
export interface Feature {
  readonly hash: number;
  /** From 0 to 127.5; one with 0 is no feature but names a word class. */
  readonly value: number;
  /** From 1, or 0: that of an n-gram with a value. */
  readonly wordClass: number;
  /** Signed bytes, one for each head. */
  readonly weights: readonly number[];
  /** Of a word: the same where words are summed up alone. */
  readonly aloneWeights?: readonly number[];
}

/** The bytes are not a model that this version reads. */
export class ModelFormatError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ModelFormatError';
  }
}

type Meta = Pick<Model, 'name' | 'heads' | 'classes' | 'wordBuckets' | 'gramBuckets'>;

/**
 * Lays a model out, what texts have most first, so that it seldom overflows. Throws `RangeError` where features do not
 * fit the table; of two with the same slot the first stays.
 */
export function encodeModel(parts: Meta, features: Iterable<Feature>): Uint8Array {
  const { wordBuckets, gramBuckets } = parts;
  const problem = problemOf(parts);
  if (problem) throw new RangeError(problem);
  const tags = new Uint16Array((wordBuckets + gramBuckets) * slotsPerBucket);
  const layout = { wordBuckets, entrySizes: sizesOf(parts) };
  const entries = new Uint8Array(entryAt(layout, tags.length));
  const tables = { wordBuckets, gramBuckets, tags };
  const free = { words: wordBuckets * featuresPerBucket - 1, grams: gramBuckets * featuresPerBucket - 1 };
  for (const { hash, value, wordClass, weights, aloneWeights = [] } of [...features].sort(
    (a, b) => a.value - b.value,
  )) {
    if (findSlot(tables, hash) >= 0) continue;
    const kind = isWord(hash) ? 'words' : 'grams';
    if (kind === 'grams' && value > 0 && wordClass > 0) throw new RangeError('an n-gram has both a value and a class');
    if (free[kind]-- <= 0) throw new RangeError(`more ${kind} than their buckets hold`);
    const slot = takeSlot(tables, hash);
    const named = kind === 'words' || value === 0 ? [wordClass] : [];
    const numbers = value === 0 ? [] : [...weights, ...aloneWeights];
    entries.set([Math.round(value * 2), ...named, ...numbers], entryAt(layout, slot));
  }
  const { name, heads, classes } = parts;
  const meta = Buffer.from(JSON.stringify({ name, heads, classes, wordBuckets, gramBuckets } satisfies Meta));
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
  const slots = (meta.wordBuckets + meta.gramBuckets) * slotsPerBucket;
  const entrySizes = sizesOf(meta);
  const tagsAt = align(headerBytes + metaLength);
  if (bytes.length !== tagsAt + slots * 2 + entryAt({ ...meta, entrySizes }, slots))
    throw new ModelFormatError('length differs: cut off?');
  const tags = new Uint16Array(bytes.buffer, bytes.byteOffset + tagsAt, slots);
  const words = meta.wordBuckets * slotsPerBucket;
  if (!isTable(tags.subarray(0, words)) || (meta.gramBuckets > 0 && !isTable(tags.subarray(words))))
    throw new ModelFormatError('the table is out of order');
  return { ...meta, tags, entries: bytes.subarray(tagsAt + slots * 2), entrySizes };
}

function sizesOf(meta: Pick<Model, 'heads' | 'gramBuckets'>): EntrySizes {
  const size = (bytes: number) => 2 ** Math.ceil(Math.log2(bytes));
  const { length } = meta.heads;
  return { word: size(2 + aloneFrom(meta) + length), gram: size(1 + length) };
}

/** Where in an entry the weights begin by which words are summed up alone, in weights. */
export function aloneFrom({ heads, gramBuckets }: Pick<Model, 'heads' | 'gramBuckets'>): number {
  return gramBuckets === 0 ? 0 : heads.length;
}

/** Where the entry of a slot begins; of the slot behind all, where the entries end. */
export function entryAt({ wordBuckets, entrySizes }: Pick<Model, 'wordBuckets' | 'entrySizes'>, slot: number): number {
  const words = wordBuckets * slotsPerBucket;
  return slot < words ? slot * entrySizes.word : words * entrySizes.word + (slot - words) * entrySizes.gram;
}

/** Twice the value of a slot, rounded; 0 where it only names a word class. */
export function twiceValueOf(model: Model, slot: number): number {
  return model.entries[entryAt(model, slot)];
}

/** The word class that a slot names, from 1, or 0. */
export function classOf(model: Model, slot: number): number {
  return isOfWord(model, slot) || twiceValueOf(model, slot) === 0 ? model.entries[entryAt(model, slot) + 1] : 0;
}

/** Of a slot with a value: the weight for a head, or of a word from `aloneFrom` on where words are summed up alone. */
export function weightOf(model: Model, slot: number, weight: number): number {
  return (model.entries[entryAt(model, slot) + (isOfWord(model, slot) ? 2 : 1) + weight] << 24) >> 24;
}

function isOfWord({ wordBuckets }: Pick<Model, 'wordBuckets'>, slot: number): boolean {
  return slot < wordBuckets * slotsPerBucket;
}

function parseMeta(text: string): Meta {
  try {
    const { name, heads, classes, wordBuckets, gramBuckets } = JSON.parse(text) as Meta;
    const all = Array.isArray(heads)
      ? heads.map((head) => head && { ...head, prior: head.prior ?? 0, lengthCost: head.lengthCost ?? 0 })
      : heads;
    return { name, heads: all, classes, wordBuckets, gramBuckets };
  } catch {
    throw new ModelFormatError('the description cannot be read');
  }
}

/** What is wrong with a model's description, of which nothing is known. */
function problemOf({ name, heads, classes, wordBuckets, gramBuckets }: Meta): string | undefined {
  if (typeof name !== 'string' || name === '') return 'the model has no name';
  const headsHere = gramBuckets === 0 ? headsMax : headsWithGramsMax;
  if (!Array.isArray(heads) || heads.length === 0 || heads.length > headsHere) return `not 1 to ${headsHere} heads`;
  if (!heads.every(isHead)) return 'a head is not one';
  if (new Set(heads.map(({ policy }) => policy)).size < heads.length) return 'two heads are of one policy';
  if (!Array.isArray(classes) || classes.length > classesMax) return `not up to ${classesMax} word classes`;
  if (!classes.every((wordClass) => typeof wordClass === 'string')) return 'a word class has no name';
  const isCount = (count: number) => Number.isInteger(count) && count > 0 && count <= bucketsMax;
  if (!isCount(wordBuckets)) return `not 1 to ${bucketsMax} buckets`;
  return gramBuckets === 0 || isCount(gramBuckets) ? undefined : `not 0 to ${bucketsMax} buckets of n-grams`;
}

function isHead(head: Partial<Head> | null): boolean {
  if (typeof head !== 'object' || head === null || !isPolicyCode(head.policy ?? '')) return false;
  const { bias, scale, prior = -1, cut, lengthCost = -1, offset, slope } = head;
  const numbers = [bias, scale, prior, cut, lengthCost, offset, slope];
  return (
    prior >= 0 &&
    lengthCost >= 0 &&
    numbers.every((number) => typeof number === 'number' && Math.abs(number) <= numberMax)
  );
}

/** The kernel takes this as given: a bucket without overflow ends every search. */
function isTable(tags: Uint16Array): boolean {
  return tags.some((overflow, slot) => slot % slotsPerBucket === featuresPerBucket && overflow === 0);
}

type Tables = Pick<Model, 'wordBuckets' | 'gramBuckets' | 'tags'>;

/** Slot of a feature, or −1. */
export function findSlot(tables: Tables, hash: number): number {
  const { tags } = tables;
  if (tables.gramBuckets === 0 && !isWord(hash)) return -1;
  const tag = tagOf(hash);
  for (let bucket = bucketOf(tables, hash); ; bucket = nextBucket(tables, hash, bucket)) {
    const first = bucket * slotsPerBucket;
    for (let slot = first; slot < first + featuresPerBucket; slot++) if (tags[slot] === tag) return slot;
    if ((tags[first + featuresPerBucket] & overflowBit(tag)) === 0) return -1;
  }
}

/** Takes a free slot for a feature that its table lacks; there has to be one. */
function takeSlot(tables: Tables, hash: number): number {
  const { tags } = tables;
  const tag = tagOf(hash);
  for (let bucket = bucketOf(tables, hash); ; bucket = nextBucket(tables, hash, bucket)) {
    const first = bucket * slotsPerBucket;
    const free = tags.subarray(first, first + featuresPerBucket).indexOf(0);
    if (free >= 0) {
      tags[first + free] = tag;
      return first + free;
    }
    tags[first + featuresPerBucket] |= overflowBit(tag);
  }
}

/** The bucket of a feature: where the low bits of its hash are among all that they could be, in its table. */
function bucketOf({ wordBuckets, gramBuckets }: Tables, hash: number): number {
  const low = hash & 0xffff;
  return isWord(hash) ? (low * wordBuckets) >>> 16 : wordBuckets + ((low * gramBuckets) >>> 16);
}

/** The one behind it, in its table. */
function nextBucket({ wordBuckets, gramBuckets }: Tables, hash: number, bucket: number): number {
  const end = isWord(hash) ? wordBuckets : wordBuckets + gramBuckets;
  return bucket + 1 < end ? bucket + 1 : isWord(hash) ? 0 : wordBuckets;
}

/**
 * What the sum of a text's best window is worth, the text having so many UTF-16 units: the longer it is, the surer one of its
 * windows looks like an attack by chance. Filling a text up costs an attacker nothing, so beyond some length nothing is taken off.
 */
export function worthOf({ lengthCost }: Pick<Head, 'lengthCost'>, sum: number, units: number): number {
  return sum - lengthCost * Math.log(Math.min(Math.max(units, freeUnits), costlyUnits) / freeUnits);
}

/** Units of a text from which on its length costs, and up to which. */
const freeUnits = 300;
const costlyUnits = 1_500;

/**
 * A head's sum as a rule's score, from 0 up to 0.99, so that it joins the rules' scores where those are joined:
 * 1 − e^(−evidence), evidence growing from `offset` on in proportion. Never falls as the sum grows.
 */
export function scoreOf({ offset, slope }: Pick<Head, 'offset' | 'slope'>, sum: number): number {
  return sum <= offset ? 0 : Math.min(scoreMax, 1 - Math.exp(-slope * (sum - offset)));
}

const scoreMax = 0.99;

function overflowBit(tag: number): number {
  return 1 << (tag & 15);
}

function tagOf(hash: number): number {
  return hash >>> 16 || 1;
}

function align(offset: number): number {
  return (offset + 15) & ~15;
}
