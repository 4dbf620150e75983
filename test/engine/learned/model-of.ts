import type { PolicyCode } from '../../../src/domain/policy.js';
import { FeatureMaker, isWord } from '../../../src/engine/learned/features.js';
import { encodeModel, type Feature } from '../../../src/engine/learned/model.js';
import { eachToken } from '../../../src/engine/learned/tokens.js';
import type { Program } from '../../../src/engine/program.js';
import { decodeProgram, encodeProgram } from '../../../src/engine/program-layout.js';

/** What a model of a test knows. */
export interface Known {
  /** Every feature of these texts is one of the model's. */
  readonly texts: readonly string[];
  /** Words or phrases of up to three tokens, by their classes. */
  readonly classes?: Readonly<Record<string, readonly string[]>>;
  readonly headCount?: number;
  readonly wordBuckets?: number;
  /** 0: words alone. */
  readonly gramBuckets?: number;
  /** Of every head; without it windows are not passed over. */
  readonly cut?: number;
  /** Features that no text has, to fill the table. */
  readonly strangers?: number;
}

const policies: readonly PolicyCode[] = ['LLM01', 'LLM07', 'LLM05', 'LLM06', 'LLM02', 'LLM03', 'LLM04', 'LLM08'];

/** A model with weights and values out of nowhere, the same ones every time. */
export function modelOf(known: Known): Uint8Array {
  const { texts, classes = {}, headCount = 2, wordBuckets = 64, gramBuckets = 256, cut = -1e9, strangers = 0 } = known;
  const classByHash = new Map<number, number>();
  Object.values(classes).forEach((phrases, index) => {
    for (const phrase of phrases) classByHash.set(featuresOf(phrase).at(-1) ?? 0, index + 1);
  });
  const random = randomFrom(7);
  // First, so that they push the others out of their buckets.
  const hashes = new Set(Array.from({ length: strangers }, () => random() | 0));
  for (const hash of classByHash.keys()) hashes.add(hash);
  for (const text of [...texts, ...Object.values(classes).flat()]) {
    for (const hash of featuresOf(text, classByHash)) hashes.add(hash);
  }
  const isTaken = (hash: number) => gramBuckets > 0 || isWord(hash);
  const features = [...hashes].filter(isTaken).map((hash): Feature => {
    const wordClass = classByHash.get(hash) ?? 0;
    // Some words name a class and are no feature, and so does every n-gram that names one.
    const isNameOnly = wordClass > 0 && (!isWord(hash) || random() % 3 === 0);
    const value = isNameOnly ? 0 : 0.5 + (random() % 250) / 2;
    const weights = () => Array.from({ length: headCount }, () => (random() % 255) - 127);
    const aloneWeights = isWord(hash) && gramBuckets > 0 ? weights() : [];
    return { hash, value, wordClass, weights: weights(), aloneWeights };
  });
  const heads = Array.from({ length: headCount }, (_, head) => ({
    policy: policies[head],
    bias: -1.3 + head,
    scale: 0.017 * (head + 1),
    prior: 40 * head,
    lengthCost: 0.5 * head,
    cut,
    offset: 0.2,
    slope: 1,
  }));
  return encodeModel({ name: 'test', heads, classes: Object.keys(classes), wordBuckets, gramBuckets }, features);
}

/** A program of nothing but models. */
export function programWith(models: Readonly<Record<string, Uint8Array>>): Program {
  const list = Object.entries(models).map(([name, bytes]) => ({ name, bytes }));
  return decodeProgram(encodeProgram({ hash: '', rules: [], patterns: [], needles: [], models: list }));
}

function featuresOf(text: string, classByHash: ReadonlyMap<number, number> = new Map()): number[] {
  const hashes: number[] = [];
  const maker = new FeatureMaker(
    (hash) => classByHash.get(hash) ?? 0,
    (hash) => hashes.push(hash),
  );
  eachToken(text, (hash) => maker.add(hash));
  return hashes;
}

/** Whole numbers of 32 bits: xorshift. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
