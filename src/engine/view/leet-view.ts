import { viewBit } from './kinds.js';
import { letterNumber } from './natural.js';
import { partsOf, reason, type Survey } from './survey.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';
import type { Vocabulary } from './words.js';

const readings: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  2: 'z',
  3: 'e',
  4: 'a',
  5: 's',
  6: 'g',
  7: 't',
  8: 'b',
  9: 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '+': 't',
};

/** Shortest word that betrays a disguise by itself. */
const tellingLength = 4;
/** So many known words show that the whole text is written so, numbers included. */
const fluentWords = 3;

/**
 * The text with digits and symbols inside of words read as the letters they stand for, in words that are known once
 * so read, and in all words where many are. Undefined where no known word appears.
 */
export function leetView(parent: View, budget: ViewBudget, vocabulary: Vocabulary, survey: Survey): View | undefined {
  if (!hasTellingWord(parent.text, partsOf(survey, reason.leet, 0, parent.text.length), vocabulary)) return undefined;
  const words: { readonly start: number; readonly end: number; readonly reading: string; readonly known: boolean }[] =
    [];
  let known = 0;
  let telling = 0;
  let mixed = 0;
  for (let end = 0, start = nextToken(parent.text, 0); start >= 0; start = nextToken(parent.text, end)) {
    end = endOfToken(parent.text, start);
    const token = parent.text.slice(start, end);
    const word = wordIn(token, vocabulary);
    if (!/[0-9@$!|+]/.test(word)) continue;
    const reading = readLeet(word, vocabulary);
    const isMixed = hasLetter(word, 0, word.length);
    const isKnown = isMixed && vocabulary.has(reading);
    if (isMixed) mixed++;
    if (isKnown) known++;
    if (isKnown && mayTell(word)) telling++;
    if (!isMixed && (word.length > tellingLength || !/[0-9]/.test(word))) continue;
    const wordStart = start + token.indexOf(word);
    words.push({ start: wordStart, end: wordStart + word.length, reading, known: isKnown });
  }
  if (telling === 0) return undefined;
  const isFluent = known >= fluentWords && known * 3 >= mixed;
  const builder = new ViewBuilder(parent, budget);
  builder.kinds = viewBit('leet');
  for (const { start, end, reading, known: isKnown } of words) {
    if (!isKnown && !isFluent) continue;
    for (let i = start; i < end; i++) {
      const letter = reading.charCodeAt(i - start);
      if (letter === (parent.text.charCodeAt(i) | 0x20) || (!isKnown && isOfAddress(parent.text, i, end))) continue;
      builder.replace(i, i + 1);
      builder.put(letter, i, i + 1);
    }
  }
  return builder.finish(parent.depth + 1);
}

/** True for the sign of an e-mail address whose first label ends at `end`. */
function isOfAddress(text: string, at: number, end: number): boolean {
  return text[at] === '@' && text[end] === '.' && isToken[text.charCodeAt(end + 1)] === 1;
}

/** True if one of the words that go into the parts is known once it is read. */
function hasTellingWord(text: string, parts: readonly number[], vocabulary: Vocabulary): boolean {
  let end = 0;
  for (let part = 0; part < parts.length; part += 2) {
    let at = Math.max(end, parts[part]);
    while (at < parts[part + 1]) {
      const start = nextToken(text, at, end, parts[part + 1]);
      if (start < 0) break;
      end = at = endOfToken(text, start);
      if (end - start < tellingLength || !hasLetter(text, start, end)) continue;
      const word = wordIn(text.slice(start, end), vocabulary);
      if (mayTell(word) && /[0-9@$!|+]/.test(word) && isKnownWord(word, vocabulary)) return true;
    }
  }
  return false;
}

/**
 * True if a word is long enough to betray a disguise, and has letters enough, one of them no digit of hex: of what numbers, units and
 * identifiers are made of (`b075`, `5l07`) some reads as a word by chance.
 */
function mayTell(word: string): boolean {
  if (word.length < tellingLength) return false;
  let letters = 0;
  let beyondHex = 0;
  for (let i = 0; i < word.length; i++) {
    const number = letterNumber(word.charCodeAt(i));
    if (number > 0) letters++;
    if (number > 6) beyondHex++;
  }
  return beyondHex > 0 && letters * 3 >= word.length;
}

/** A token without the signs before and behind it, as in `<|user|>`; those before stay where they make a known word. */
function wordIn(token: string, vocabulary: Vocabulary): string {
  const word = token.replace(/[!|+]+$/, '');
  return !/^[!|+]/.test(word) || isKnownWord(word, vocabulary) ? word : word.replace(/^[!|+]+/, '');
}

function isKnownWord(word: string, vocabulary: Vocabulary): boolean {
  return hasLetter(word, 0, word.length) && vocabulary.has(readLeet(word, vocabulary));
}

function hasLetter(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (letterNumber(text.charCodeAt(i)) > 0) return true;
  return false;
}

/** Longest word that is read. */
const tokenMax = 32;
const isToken = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[A-Za-z0-9@$!|+]/.test(String.fromCharCode(unit)) ? 1 : 0,
);
const isSign = Uint8Array.from({ length: 128 }, (_, unit) => (String.fromCharCode(unit) in readings ? 1 : 0));

/** Start, not before `least`, of the next run of letters and signs that has a sign in `[from, to)`, or −1. */
function nextToken(text: string, from: number, least = from, to = text.length): number {
  for (let i = from; i < to; i++) {
    if (isSign[text.charCodeAt(i)] !== 1) continue;
    let start = i;
    while (start > least && i - start < tokenMax && isToken[text.charCodeAt(start - 1)] === 1) start--;
    return start;
  }
  return -1;
}

function endOfToken(text: string, start: number): number {
  let end = start;
  while (end - start < tokenMax && isToken[text.charCodeAt(end)] === 1) end++;
  return end;
}

/** A word in lower case, its signs read as letters; a 1 or ! is the one of i and l that makes a known word. */
function readLeet(word: string, vocabulary: Vocabulary): string {
  const plain = spell(word, word.length);
  const last = Math.max(word.lastIndexOf('1'), word.lastIndexOf('!'));
  if (last < 0 || vocabulary.has(plain)) return plain;
  return [spell(word, 0), spell(word, last)].find((reading) => vocabulary.has(reading)) ?? plain;
}

/** A word as its signs read; a 1 or ! as l from `firstL` on, before as i. */
function spell(word: string, firstL: number): string {
  let reading = '';
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i);
    reading += i >= firstL && (unit === 0x31 || unit === 0x21) ? 'l' : letterOf[unit];
  }
  return reading;
}

/** What each unit of a token reads as. */
const letterOf: readonly string[] = Array.from({ length: 128 }, (_, unit) => {
  const sign = String.fromCharCode(unit);
  return readings[sign] ?? sign.toLowerCase();
});
