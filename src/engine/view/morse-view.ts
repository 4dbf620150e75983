import { viewBit } from './kinds.js';
import { longRuns, runClass, shortestRun, unitsOf } from './long-runs.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';

/** Eight letters or more of dots and dashes, one space between them, more or a slash between words. */
const runPattern = /[.\-·•−–—_]{1,7}(?:(?: {1,3}| ?[/|\n] ?)[.\-·•−–—_]{1,7}){7,}/g;
const letterPattern = /[.\-·•−–—_]{1,7}|[/|\n]| {2,3}/g;
/** Share of the signs that must be letters or digits of the code. */
const knownShare = 0.9;

/** The text with runs of International Morse code (ITU-R M.1677-1) spelt out. Undefined where there are none. */
export function morseView(parent: View, budget: ViewBudget): View | undefined {
  const { text } = parent;
  const builder = new ViewBuilder(parent, budget);
  const places = longRuns(unitsOf(text), runClass.morse, shortestRun.morse);
  for (let i = 0; i < places.length; i += 2) addRuns(builder, text.slice(places[i], places[i + 1]), places[i]);
  return builder.finish(parent.depth + 1);
}

function addRuns(builder: ViewBuilder, part: string, from: number): void {
  for (const { index, 0: run } of part.matchAll(runPattern)) {
    const start = from + index;
    const signs = [...run.matchAll(letterPattern)].map(({ index: at, 0: sign }) => ({
      letter: letterOf(sign),
      start: start + at,
      end: start + at + sign.length,
    }));
    const letters = signs.filter(({ letter }) => letter !== ' ');
    const known = letters.filter(({ letter }) => letter !== undefined);
    // A rule of dashes or a row of dots reads as E and T alone.
    if (known.length < knownShare * letters.length || new Set(known.map(({ letter }) => letter)).size < 4) continue;
    builder.kinds = viewBit('morse');
    builder.replace(start, start + run.length);
    for (const sign of signs) if (sign.letter !== undefined) builder.putText(sign.letter, sign.start, sign.end);
  }
}

function letterOf(sign: string): string | undefined {
  if (/^[/|\n ]/.test(sign)) return ' ';
  return code.get(sign.replace(/[·•]/g, '.').replace(/[−–—_]/g, '-'));
}

const code: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: '.-',
    b: '-...',
    c: '-.-.',
    d: '-..',
    e: '.',
    f: '..-.',
    g: '--.',
    h: '....',
    i: '..',
    j: '.---',
    k: '-.-',
    l: '.-..',
    m: '--',
    n: '-.',
    o: '---',
    p: '.--.',
    q: '--.-',
    r: '.-.',
    s: '...',
    t: '-',
    u: '..-',
    v: '...-',
    w: '.--',
    x: '-..-',
    y: '-.--',
    z: '--..',
    0: '-----',
    1: '.----',
    2: '..---',
    3: '...--',
    4: '....-',
    5: '.....',
    6: '-....',
    7: '--...',
    8: '---..',
    9: '----.',
    '.': '.-.-.-',
    ',': '--..--',
    '?': '..--..',
    "'": '.----.',
    '"': '.-..-.',
    '-': '-....-',
    '/': '-..-.',
    ':': '---...',
    '(': '-.--.',
    ')': '-.--.-',
    '=': '-...-',
    '+': '.-.-.',
    '@': '.--.-.',
    // Not of the standard, but in use.
    '!': '-.-.--',
    '&': '.-...',
    ';': '-.-.-.',
    _: '..--.-',
    $: '...-..-',
  }).map(([letter, signs]) => [signs, letter]),
);
