import { isSpaceUnit } from '../../dist/engine/text/fold.js';

/**
 * The corpora, as data: each row names where its text comes from and how it is cut; `percentiles` marks the ones of
 * which single calls are timed too. Every corpus has each run of white space as one space, because Merlon reads it
 * so and its rivals do not: only then do their counts compare.
 */
const definitions = [
  { name: 'benign-16k', textBytes: 16_384, source: chat },
  { name: 'benign-500', textBytes: 500, source: chat, percentiles: true },
  { name: 'mixed-500', textBytes: 500, source: mixed, percentiles: true },
  { name: 'multilingual', textBytes: 16_384, source: foreign },
  { name: 'hit-dense', textBytes: 16_384, source: hitDense },
  { name: 'near-miss', textBytes: 16_384, source: nearMiss },
  { name: 'capitals', textBytes: 16_384, source: (material) => chat(material).map((text) => text.toUpperCase()) },
  { name: 'aaaa', textBytes: 16_384, source: () => ['a'.repeat(16_384)] },
  { name: 'base64', textBytes: 16_384, source: base64 },
];

/**
 * @typedef {object} Corpus
 * @property {string} name
 * @property {string[]} texts
 * @property {number} bytes UTF-8 bytes of all texts; what MB/s counts for every engine
 * @property {boolean} percentiles true where single calls are timed too
 */

/**
 * Builds every corpus, each of about `totalBytes`; the same input gives the same texts. One that no text is for is left out, and
 * `say` told of it.
 * @param {{ ordinary: readonly import('../command.mjs').Ordinary[], needles: readonly string[], totalBytes: number, say: (text: string) => void }} material
 * @returns {Corpus[]}
 */
export function buildCorpora(material) {
  return definitions.flatMap(({ name, textBytes, source, percentiles }) => {
    const sources = source(material);
    if (sources.length === 0) {
      material.say(`${name}: left out, no text of --data is one for it`);
      return [];
    }
    const texts = cut(sources, textBytes, material.totalBytes);
    return [corpusOf(name, texts, percentiles === true)];
  });
}

/** @returns {Corpus} */
export function corpusOf(name, texts, percentiles = false) {
  // Through JSON, as a request's text comes: one flat string, of one byte a unit where that is enough.
  const flat = texts.map((text) => JSON.parse(JSON.stringify(text)));
  return { name, texts: flat, bytes: flat.reduce((sum, text) => sum + Buffer.byteLength(text), 0), percentiles };
}

/** Cuts the joined sources into texts of `textBytes`, repeating the sources until there are `totalBytes`. */
export function cut(sources, textBytes, totalBytes) {
  const joined = Buffer.from(collapse(sources.join(' ')));
  let all = joined;
  const wanted = Math.max(totalBytes, textBytes);
  if (all.length < wanted) {
    all = Buffer.concat(Array.from({ length: Math.ceil(wanted / joined.length) }, () => joined));
  }
  const texts = [];
  for (let from = 0; from + textBytes <= all.length && texts.length * textBytes < wanted; ) {
    let to = from + textBytes;
    while (to < all.length && (all[to] & 0xc0) === 0x80) to--;
    texts.push(all.toString('utf8', from, to));
    from = to;
  }
  return texts;
}

/** A generator of numbers in [0, 1) that gives the same ones in every run (mulberry32). */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `texts` in another order, the same in every run. */
function shuffled(texts, seed) {
  const random = seeded(seed);
  return texts
    .map((text) => ({ text, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ text }) => text);
}

/** English, as far as the data tell; all texts where none is. */
function chat({ ordinary, totalBytes }) {
  const english = ordinary.filter(({ lang }) => lang === 'en');
  return enough(shuffled(textsOf(english.length > 0 ? english : ordinary), 1), totalBytes);
}

/** All languages, several in one text: worse than any message. */
function mixed({ ordinary, totalBytes }) {
  return enough(shuffled(textsOf(ordinary), 1), totalBytes);
}

/** Texts of which a fifth of the units or more lie beyond ASCII. */
function foreign({ ordinary, totalBytes }) {
  const isForeign = (text) => (text.match(/[^\0-\x7f]/g)?.length ?? 0) * 5 > text.length;
  return enough(shuffled(textsOf(ordinary).filter(isForeign), 2), totalBytes);
}

export function textsOf(ordinary) {
  return ordinary.map(({ text }) => text);
}

function hitDense({ ordinary, needles, totalBytes }) {
  const random = seeded(3);
  const words = wordsOf(textsOf(ordinary));
  return drawn(totalBytes, () => `${pick(needles, random)} ${pick(words, random)} ${pick(words, random)}`);
}

/** Beginnings of needles that go wrong late: what keeps an automaton deep and a prefilter busy. */
function nearMiss({ needles, totalBytes }) {
  const random = seeded(4);
  return drawn(totalBytes, () => {
    const needle = pick(needles, random);
    const kept = Math.max(3, Math.floor(needle.length * (0.6 + 0.35 * random())));
    return `${needle.slice(0, Math.min(kept, needle.length - 1))}~`;
  });
}

function base64({ totalBytes }) {
  const random = seeded(5);
  return [Buffer.from(Array.from({ length: totalBytes }, () => Math.floor(random() * 256))).toString('base64')];
}

function drawn(totalBytes, draw) {
  const parts = [];
  for (let bytes = 0; bytes < totalBytes * 1.1; bytes += Buffer.byteLength(parts[parts.length - 1]) + 1) {
    parts.push(draw());
  }
  return parts;
}

function enough(texts, totalBytes) {
  const taken = [];
  for (let bytes = 0; taken.length < texts.length && bytes < totalBytes * 1.2; ) {
    const text = texts[taken.length];
    taken.push(text);
    bytes += Buffer.byteLength(text);
  }
  return taken;
}

export function wordsOf(texts) {
  return texts.slice(0, 400).flatMap((text) => text.match(/\p{L}{3,12}/gu) ?? []);
}

export function pick(list, random) {
  return list[Math.floor(random() * list.length)];
}

function collapse(text) {
  let collapsed = '';
  let inSpace = false;
  for (const character of text) {
    const isSpace = isSpaceUnit(character.charCodeAt(0));
    if (!isSpace) collapsed += character;
    else if (!inSpace) collapsed += ' ';
    inSpace = isSpace;
  }
  return collapsed;
}
