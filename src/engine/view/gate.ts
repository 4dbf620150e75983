import type { TextRoom } from '../text/text-room.js';
import { wordUnits } from '../text/word.js';
import { characterClass, unitClasses } from './characters.js';
import { closesEmphasis, endOfSequence, opensEmphasis } from './emphasis-view.js';
import { isEscapeUnit, startsEscape } from './escapes-view.js';
import { morseUnits } from './long-runs.js';
import { letterNumber } from './natural.js';
import { createRunTest, hasReadableRun, mayHoldRun } from './readable-runs.js';
import { foreignPlace, noReason, placeUnits, reason, type Survey } from './survey.js';
import { mayHoldTable } from './table-view.js';
import { mayHoldTags } from './tags-view.js';
import { turnedOnly } from './turned-letters.js';
import { mayHide, plainSigns } from './typography-view.js';
import { pairBit, unitPairs, weightShift } from './unit-pairs.js';

/** Reads texts for reasons; holds memory to copy them to. Not for use by two threads at once. */
export type Gate = (text: string) => Survey;

/** Units that are copied and read at a time: a multiple of `placeUnits`. */
const chunkUnits = 16 * 1024;
/** What the running sum of the weights must exceed; beyond the maximum it does not grow, so that it ends in time. */
const unnaturalWeight = 30;
const unnaturalWeightMax = 76;
/** Fewer letters that can be read upside down are phonetics. */
const turnedMin = 3;

/** Punctuation of ordinary texts that has a compatibility form: the ellipsis, leaders, the trade mark. */
const ordinary: ReadonlySet<number> = new Set([0x2024, 0x2025, 0x2026, 0x2122, 0xa8, 0xaf, 0xb4, 0xb8]);

const foreign = { folded: 1, turned: 2, morse: 4, typographic: 8, word: 16 } as const;
const foreignBits: Uint8Array = new Uint8Array(0x10000);
for (let unit = 0; unit < foreignBits.length; unit++) {
  foreignBits[unit] = (isFolded(unit) ? foreign.folded : 0) | (wordUnits[unit] === 1 ? foreign.word : 0);
}
for (const unit of turnedOnly) foreignBits[unit] |= foreign.turned;
for (const unit of morseUnits) foreignBits[unit] |= foreign.morse;
for (const unit of plainSigns.keys()) foreignBits[unit] |= foreign.typographic;
/** Of a place with letters beyond ASCII: changes between letters and others, of which words have twelve, and letters with two spaces between them 21. */
const changesMin = 20;
const dash = 0x2d;
const { escape: escapePair, leet: leetPair, underscore: underscorePair } = pairBit;
const alternatingPairs = pairBit.closing | pairBit.opening;
const runPairs = pairBit.alphabet | pairBit.numbers | pairBit.morse;

/**
 * One pass over the text decides which views can matter, and where. The text is read by pairs of units, one look-up for each:
 * every second pair of neighbours is not looked at, and what is asked of pairs is such that none is needed of those. What a
 * place seems to hold is asked again, exactly, of the text. A reason may be given in vain, never withheld, but for
 * `unnatural`, a statistic, and `leet`, where one word is. What does not stand in the room is copied.
 */
export function createGate(room?: TextRoom): Gate {
  const memory = Buffer.alloc(2 * chunkUnits);
  const ownUnits = new Uint16Array(memory.buffer, memory.byteOffset, chunkUnits);
  const ownPairs = new Uint32Array(memory.buffer, memory.byteOffset, chunkUnits / 2);
  const runTest = createRunTest();
  return (text) => {
    let reasons = 0;
    let places: number[] | undefined;
    let turned = 0;
    let closes = false;
    let weight = 0;
    // Of the pairs before: what the last four, of these the last two, and the last have in common.
    let head = 0;
    let tail = 0;
    let last = 0;
    // Here, a constant of a module is looked up each time that it is read.
    const table = unitPairs;
    const kinds = foreignBits;
    const isHere = text.length <= chunkUnits && room?.holds(text) === true;
    const units = isHere ? room.units : ownUnits;
    const pairs = isHere ? room.pairs : ownPairs;
    runTest.begin();
    for (let from = 0; from < text.length; from += chunkUnits) {
      const length = Math.min(chunkUnits, text.length - from);
      if (!isHere) memory.write(text.length === length ? text : text.slice(from, from + length), 'utf16le');
      if (length % placeUnits !== 0) units.fill(0, length, length + placeUnits - (length % placeUnits));
      for (let start = 0; start < length; start += placeUnits) {
        const firstPair = start >> 1;
        const endPair = (start + placeUnits) >> 1;
        let found = 0;
        let all = 0;
        for (let i = firstPair; i < endPair; i += 4) all |= pairs[i] | pairs[i + 1] | pairs[i + 2] | pairs[i + 3];
        if ((all & 0xff80ff80) !== 0) {
          found = foreignPlace;
          if (isHere) room.spoil();
          // Which of the bits occur cannot be foretold, so nothing branches on them.
          let together = 0;
          let changes = 0;
          let before = 0;
          for (let i = start; i < start + placeUnits; i++) {
            const unit = units[i];
            const bits = kinds[unit];
            together |= bits;
            changes += (bits ^ before) & foreign.word;
            before = bits;
            turned += (bits & foreign.turned) >> 1;
            if (unit >= 0x80) units[i] = ((bits & foreign.morse) >> 2) * dash;
          }
          if ((together & foreign.folded) !== 0) found |= reason.fold;
          if (changes >= changesMin * foreign.word) found |= reason.spaced;
          if ((together & foreign.typographic) !== 0) {
            for (let i = from + start; i < from + start + placeUnits; i++) {
              if (mayHide(text, i)) found |= reason.typography;
            }
          }
        }
        let sum = 0;
        let any = 0;
        let alternating = 0;
        let running = 0;
        for (let i = firstPair; i < endPair; i += 4) {
          const v0 = pairs[i];
          const v1 = pairs[i + 1];
          const v2 = pairs[i + 2];
          const v3 = pairs[i + 3];
          const p0 = table[(v0 & 0x7f) | (v0 >>> 9)];
          const p1 = table[(v1 & 0x7f) | (v1 >>> 9)];
          const p2 = table[(v2 & 0x7f) | (v2 >>> 9)];
          const p3 = table[(v3 & 0x7f) | (v3 >>> 9)];
          const p01 = p0 & p1;
          const p23 = p2 & p3;
          sum = (sum + p0 + p1 + p2 + p3) | 0;
          any |= p0 | p1 | p2 | p3;
          alternating |= (p01 & (p2 | last)) | (p23 & p1) | (tail & p0);
          running |= tail & p01 & (p23 | head);
          head = p01;
          tail = p23;
          last = p3;
        }
        weight += sum >> weightShift;
        if (weight < 0) weight = 0;
        if (weight > unnaturalWeight) {
          found |= reason.unnatural;
          if (weight > unnaturalWeightMax) weight = unnaturalWeightMax;
        }
        if ((any & leetPair) !== 0) found |= reason.leet;
        if ((any & underscorePair) !== 0) {
          for (let i = from + start; i < from + start + placeUnits; i++) {
            if (opensEmphasis(text, i)) found |= reason.emphasis;
            if (closesEmphasis(text, i)) closes = true;
            if (endOfSequence(text, i) > i) {
              found |= reason.emphasis;
              closes = true;
            }
          }
        }
        if ((any & escapePair) !== 0) {
          for (let i = start; i < start + placeUnits; i++) {
            if (!isEscapeUnit(units[i])) continue;
            if (startsEscape(text, from + i)) found |= reason.escape;
            if (endOfSequence(text, from + i) > from + i) {
              found |= reason.emphasis;
              closes = true;
            }
          }
        }
        if ((alternating & alternatingPairs) !== 0 && alternates(text, from + start)) found |= reason.spaced;
        if ((running & runPairs) !== 0) {
          const isEdge = (from > 0 && start === 0) || start + 2 * placeUnits > chunkUnits;
          if (isEdge || mayHoldRun(units, start, length, running)) found |= runTest.at(text, from + start, running);
        }
        if (found !== 0) {
          reasons |= found;
          if (places === undefined) places = [];
          places.push(from + start, found);
        }
      }
    }
    if (!closes) reasons &= ~reason.emphasis;
    if (mayHoldTable(text)) reasons |= reason.table;
    if (mayHoldTags(text)) reasons |= reason.tags;
    if (turned >= turnedMin) reasons |= reason.turned;
    if (reasons === 0 && places === undefined) return noReason;
    return { reasons: reasons & ~foreignPlace, places: places ?? noReason.places };
  };
}

/** True if four letters or digits, three of them letters, stand at a place with one other unit between each two. */
function alternates(text: string, start: number): boolean {
  let length = 0;
  let was = 0;
  for (let i = Math.max(0, start - 6); i < start + placeUnits + 6; i++) {
    const unit = text.charCodeAt(i);
    const is = unit < 0x80 ? letterUnits[unit] : 0;
    length = (is !== 0) === (was !== 0) ? 1 : length + 1;
    was = is;
    if (length < 7 || is === 0) continue;
    let letters = 0;
    for (let back = 0; back < 7; back += 2) letters += letterUnits[text.charCodeAt(i - back)] >> 1;
    if (letters >= 3) return true;
  }
  return false;
}

/** 1: a digit, 2: a letter. */
const letterUnits = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  letterNumber(unit) > 0 ? 2 : unit >= 0x30 && unit <= 0x39 ? 1 : 0,
);

/** The plain twin of the pass: the same reasons from regexes and one unit after another. For tests. */
export function readPlainly(text: string): number {
  let reasons = hasReadableRun(text);
  const units = [...Array(text.length).keys()].map((i) => text.charCodeAt(i));
  const pairs = [...Array(Math.ceil(text.length / 2)).keys()].map((i) => text.slice(2 * i, 2 * i + 2));
  if (units.some(isFolded)) reasons |= reason.fold;
  if (units.some((_, at) => mayHide(text, at))) reasons |= reason.typography;
  if (units.filter((unit) => turnedOnly.has(unit)).length >= turnedMin) reasons |= reason.turned;
  if (units.some((unit, at) => isEscapeUnit(unit) && startsEscape(text, at))) reasons |= reason.escape;
  if (units.some((_, at) => endOfSequence(text, at) > at)) reasons |= reason.emphasis;
  const underscores = units.flatMap((unit, at) => (unit === 0x5f ? [at] : []));
  if (underscores.some((at) => opensEmphasis(text, at)) && underscores.some((at) => closesEmphasis(text, at))) {
    reasons |= reason.emphasis;
  }
  if (pairs.some((pair) => /[A-Za-z][0-9@$]|[0-9@$!|+][A-Za-z]/.test(pair))) reasons |= reason.leet;
  for (const [, run] of text.matchAll(/(?=([A-Za-z0-9](?:[^A-Za-z0-9][A-Za-z0-9]){3}))/g)) {
    if (run.replace(/[^A-Za-z]/g, '').length >= 3) reasons |= reason.spaced;
  }
  for (let start = 0; start < units.length; start += placeUnits) {
    const place = Array.from({ length: placeUnits }, (_, at) => units[start + at] ?? 0);
    const changes = place.filter((unit, at) => wordUnits[unit] !== wordUnits[place[at - 1] ?? 0]);
    if (place.some((unit) => unit >= 0x80) && changes.length >= changesMin) reasons |= reason.spaced;
  }
  if (mayHoldTable(text)) reasons |= reason.table;
  if (mayHoldTags(text)) reasons |= reason.tags;
  let weight = 0;
  for (let start = 0; start < pairs.length; start += placeUnits / 2) {
    for (const pair of pairs.slice(start, start + placeUnits / 2)) {
      const ascii = pair.padEnd(2, '\0').replace(/[^\0-\x7f]/g, '\0');
      weight += unitPairs[ascii.charCodeAt(0) | (ascii.charCodeAt(1) << 7)] >> weightShift;
    }
    weight = Math.min(Math.max(0, weight), unnaturalWeightMax);
    if (weight > unnaturalWeight) reasons |= reason.unnatural;
  }
  return reasons;
}

/** White space and punctuation that are folded along are no reason by themselves. */
function isFolded(unit: number): boolean {
  if (unit < 0x80 || unitClasses[unit] === characterClass.plain) return false;
  return !(unit >= 0xff01 && unit <= 0xff0f) && !(unit >= 0xff1a && unit <= 0xff20) && !ordinary.has(unit);
}
