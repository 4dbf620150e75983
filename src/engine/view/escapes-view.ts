import { isWordUnit } from '../text/word.js';
import { hexDigit } from './alphabets.js';
import { addByte, eachUnit, emptyBytes, type ReadBytes } from './bytes.js';
import { readCssEscape, startsCssRow } from './css-escapes.js';
import { viewBit } from './kinds.js';
import { partsOf, placeUnits, reason, type Survey } from './survey.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';

/**
 * The text with its escapes undone where they stand: percent encoding, HTML character references, backslash escapes,
 * those of stylesheets where there are several, and quoted-printable. Undefined where there are none. Linear.
 */
export function escapesView(parent: View, budget: ViewBudget, survey: Survey): View | undefined {
  const { text } = parent;
  const builder = new ViewBuilder(parent, budget);
  const marked = partsOf(survey, reason.escape, 0, text.length);
  const unusual: Unusual = {
    quotedPrintable: occurs(text, marked, equals, isQuotedLetter, quotedPrintableMin),
    css: occurs(text, marked, backslash, startsCssRow, cssMin),
    quotes: occurs(text, marked, backslash, opensValue, 1),
  };
  const parts = partsWith(unusual, text, survey, marked);
  let i = 0;
  for (let part = 0; part < parts.length; part += 2) {
    for (i = Math.max(i, parts[part]); i < parts[part + 1]; ) {
      const found = isEscapeUnit(text.charCodeAt(i)) ? escapeAt(text, i, unusual) : undefined;
      if (found === undefined) {
        i++;
        continue;
      }
      builder.kinds |= found.kind;
      builder.replace(i, found.end);
      if (found.bytes) eachUnit(found.bytes, (unit, start, end) => builder.put(unit, start, end));
      else if (found.point !== undefined) builder.putText(String.fromCodePoint(found.point), i, found.end);
      i = found.end;
    }
  }
  return builder.finish(parent.depth + 1);
}

/**
 * True if an escape begins at `at`, where such a unit stands. Unlike `escapeAt` it does not read a run of bytes to its
 * end: each unit of a flood may be asked.
 */
export function startsEscape(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit === equals) return isQuotedLetter(text, at);
  const next = text.charCodeAt(at + 1);
  if (unit === percent) {
    return hexDigit(next) >= 0 ? hexDigit(text.charCodeAt(at + 2)) >= 0 : readUnicodePercent(text, at) !== undefined;
  }
  if (unit === ampersand) return (next === 0x23 || isLetter(next)) && readEntity(text, at) !== undefined;
  if (next === 0x78) return hexNumber(text, at + 2, 2) !== undefined;
  return readBackslash(text, at) !== undefined || opensValue(text, at) || startsCssRow(text, at);
}

/** True if an escape may begin with the unit. */
export function isEscapeUnit(unit: number): boolean {
  return unit <= backslash && escapeUnits[unit] === 1;
}

/** Escapes that are read only where several of them stand, and quotes, which are read where one opens a value. */
interface Unusual {
  readonly quotedPrintable: boolean;
  readonly css: boolean;
  readonly quotes: boolean;
}

interface Escape {
  readonly kind: number;
  readonly end: number;
  /** A run of escaped bytes. */
  readonly bytes?: ReadBytes;
  /** One escaped character. */
  readonly point?: number;
}

const kinds = {
  percent: viewBit('percent'),
  entity: viewBit('entity'),
  escape: viewBit('escape'),
  quotedPrintable: viewBit('quoted-printable'),
};

/** Fewer `=XX` than this are taken for assignments and query parameters. */
const quotedPrintableMin = 3;
/** Fewer rows of `\69 ` than this are taken for back references and paths. */
const cssMin = 3;

const percent = 0x25;
const ampersand = 0x26;
const equals = 0x3d;
const backslash = 0x5c;
const escapeUnits = Uint8Array.from({ length: backslash + 1 }, (_, unit) =>
  unit === percent || unit === ampersand || unit === equals || unit === backslash ? 1 : 0,
);

function escapeAt(text: string, at: number, { quotedPrintable, css, quotes }: Unusual): Escape | undefined {
  switch (text.charCodeAt(at)) {
    case percent:
      return readUnicodePercent(text, at) ?? readByteRun(text, at, '%', kinds.percent);
    case ampersand:
      return readEntity(text, at);
    case backslash:
      return (
        readLineEnd(text, at) ??
        readBackslash(text, at) ??
        (quotes ? readQuote(text, at) : undefined) ??
        (css ? readCss(text, at) : undefined)
      );
    case equals:
      if (!quotedPrintable) return undefined;
      return readSoftBreak(text, at) ?? readByteRun(text, at, '=', kinds.quotedPrintable);
    default:
      return undefined;
  }
}

/** A run of `%XX`, `=XX` or `\xXX`. Control bytes other than white space end it; the end of a line of quoted-printable may stand within a letter. */
function readByteRun(text: string, at: number, prefix: string, kind: number): Escape | undefined {
  const bytes = emptyBytes();
  let end = at;
  while (text.startsWith(prefix, end)) {
    const byte = hexNumber(text, end + prefix.length, 2);
    if (byte === undefined || (byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) break;
    addByte(bytes, byte, end, end + prefix.length + 2);
    end += prefix.length + 2;
    if (kind === kinds.quotedPrintable) end = readSoftBreak(text, end)?.end ?? end;
  }
  return end > at ? { kind, end, bytes } : undefined;
}

function readUnicodePercent(text: string, at: number): Escape | undefined {
  if ((text.charCodeAt(at + 1) | 0x20) !== 0x75) return undefined;
  return escaped(kinds.percent, hexNumber(text, at + 2, 4), at + 6);
}

/** `&#105;`, `&#x69;` and the names that markup needs. The semicolon may lack, as browsers have it, but of names in `&lt` and `&gt` only. */
function readEntity(text: string, at: number): Escape | undefined {
  if (text.charCodeAt(at + 1) !== 0x23) {
    const name = text.slice(at + 1, at + 1 + entityNameMax);
    const length = name.indexOf(';');
    const point = length < 0 ? undefined : entityNames.get(name.slice(0, length));
    if (point !== undefined) return escaped(kinds.entity, point, at + length + 2);
    return escaped(kinds.entity, bareNames.get(name.slice(0, 2).toLowerCase()), at + 3);
  }
  const isHex = (text.charCodeAt(at + 2) | 0x20) === 0x78;
  const start = at + (isHex ? 3 : 2);
  let end = start;
  while (end - start < entityDigitsMax && isDigit(text.charCodeAt(end), isHex)) end++;
  if (end === start) return undefined;
  const point = Number.parseInt(text.slice(start, end), isHex ? 16 : 10);
  return escaped(kinds.entity, point, text.charCodeAt(end) === 0x3b ? end + 1 : end);
}

const entityDigitsMax = 10;
const entityNames: ReadonlyMap<string, number> = new Map([
  ['lt', 0x3c],
  ['gt', 0x3e],
  ['amp', 0x26],
  ['quot', 0x22],
  ['apos', 0x27],
  ['nbsp', 0x20],
  ['colon', 0x3a],
  ['semi', 0x3b],
  ['comma', 0x2c],
  ['period', 0x2e],
  ['excl', 0x21],
  ['quest', 0x3f],
  ['num', 0x23],
  ['equals', 0x3d],
  ['sol', 0x2f],
  ['bsol', 0x5c],
  ['lpar', 0x28],
  ['rpar', 0x29],
  ['lowbar', 0x5f],
  ['hyphen', 0x2d],
  ['dash', 0x2d],
  ['Tab', 0x09],
  ['NewLine', 0x0a],
  ['shy', 0xad],
  ['zwj', 0x200d],
  ['zwnj', 0x200c],
]);
const entityNameMax = 9;
const bareNames: ReadonlyMap<string, number> = new Map([
  ['lt', 0x3c],
  ['gt', 0x3e],
]);

function readBackslash(text: string, at: number): Escape | undefined {
  switch (text.charCodeAt(at + 1)) {
    case 0x78: // \x69
      return readByteRun(text, at, '\\x', kinds.escape);
    case 0x75: // \u0069, \u{69}
      return text.charCodeAt(at + 2) === 0x7b
        ? readBraced(text, at)
        : escaped(kinds.escape, hexNumber(text, at + 2, 4), at + 6);
    case 0x55: // \U00000069
      return escaped(kinds.escape, hexNumber(text, at + 2, 8), at + 10);
    case 0x6e: // Such are a reason to read a text only where a word follows that would seem to begin with them.
    case 0x72:
    case 0x74:
      return isWordStart(text.charCodeAt(at + 2)) ? readLineEnd(text, at) : undefined;
    default:
      return readOctal(text, at);
  }
}

/** `\n` and its kin. */
function readLineEnd(text: string, at: number): Escape | undefined {
  const sign = text.charCodeAt(at + 1);
  const isEnd = sign === 0x6e || sign === 0x72 || sign === 0x74;
  return isEnd ? { kind: kinds.escape, end: at + 2, point: 0x0a } : undefined;
}

/** Of a word, or of a telephone number. */
function isWordStart(unit: number): boolean {
  return isWordUnit(unit) || unit === 0x2b;
}

/** Strings within strings have a few. */
const backslashesMax = 7;

/** The end of a quote with backslashes before it, which begin at `at`; −1 where there is none. */
function endOfQuote(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === backslash && end - at < backslashesMax) end++;
  const unit = text.charCodeAt(end);
  return end > at && (unit === 0x22 || unit === 0x27) ? end + 1 : -1;
}

/**
 * Whether a quote with backslashes before it begins a value, as in `password=\"…\"` within JSON: behind a sign that gives one, or
 * before a word of letters and digits. Where none does, what is quoted is prose, and nothing is found by its quotes.
 */
function opensValue(text: string, at: number): boolean {
  const end = endOfQuote(text, at);
  if (end < 0) return false;
  const before = text.charCodeAt(text.charCodeAt(at - 1) === 0x20 ? at - 2 : at - 1);
  return before === equals || before === 0x3a || keyBetween.test(text.slice(end, end + keyUnitsMax));
}

const keyUnitsMax = 128;
/** A word with letters and digits, up to the next quote. */
const keyBetween = /^(?=[^\\"']*[0-9])(?=[^\\"']*[A-Za-z])[^\s\\"']{8,}\\{1,7}["']/;

function readQuote(text: string, at: number): Escape | undefined {
  const end = endOfQuote(text, at);
  return end < 0 ? undefined : { kind: kinds.escape, end, point: text.charCodeAt(end - 1) };
}

const bracedDigitsMax = 6;

function readBraced(text: string, at: number): Escape | undefined {
  const digits = text.slice(at + 3, at + 3 + bracedDigitsMax + 1).indexOf('}');
  return escaped(kinds.escape, hexNumber(text, at + 3, digits), at + digits + 4);
}

function readOctal(text: string, at: number): Escape | undefined {
  let point = 0;
  for (let i = 1; i <= 3; i++) {
    const digit = text.charCodeAt(at + i) - 0x30;
    if (!(digit >= 0 && digit <= 7)) return undefined;
    point = point * 8 + digit;
  }
  return point < 0x80 ? escaped(kinds.escape, point, at + 4) : undefined;
}

function readSoftBreak(text: string, at: number): Escape | undefined {
  const next = text.charCodeAt(at + 1);
  if (next === 0x0a) return { kind: kinds.quotedPrintable, end: at + 2 };
  return next === 0x0d && text.charCodeAt(at + 2) === 0x0a ? { kind: kinds.quotedPrintable, end: at + 3 } : undefined;
}

function readCss(text: string, at: number): Escape | undefined {
  const found = readCssEscape(text, at);
  return found && { kind: kinds.escape, ...found };
}

/** True if `starts` holds for at least `least` such units in parts of the text. */
function occurs(
  text: string,
  parts: readonly number[],
  unit: number,
  starts: (text: string, at: number) => boolean,
  least: number,
): boolean {
  let count = 0;
  for (let part = 0; part < parts.length && count < least; part += 2) {
    for (let i = parts[part]; i < parts[part + 1] && count < least; i++) {
      if (text.charCodeAt(i) === unit && starts(text, i)) count++;
    }
  }
  return count >= least;
}

/** A line of quoted-printable that goes on behind its end, the last escape of a stylesheet's row, and most quotes are marked nowhere. */
function partsWith({ quotedPrintable, css, quotes }: Unusual, text: string, survey: Survey, marked: readonly number[]) {
  if (quotedPrintable || quotes) return [0, text.length];
  return css ? partsOf(survey, reason.escape, placeUnits, text.length) : marked;
}

/** `=XX` and what goes on with it. */
function isQuotedLetter(text: string, at: number): boolean {
  const byte = hexNumber(text, at + 1, 2);
  const next = text.charCodeAt(at + 3);
  if (byte === undefined || byte < 0x20) return false;
  return next === equals || ((byte === equals || isLetter(next)) && !isHexValue(text, at + 1));
}

/** True if a number in hex stands at a place, and no letters that an escape is followed by: `id=78ba7121`. */
function isHexValue(text: string, at: number): boolean {
  const [value = ''] = /^[0-9a-f]{6,8}/i.exec(text.slice(at, at + 8)) ?? [];
  return value.length === 8 || /[0-9]/.test(value.slice(2));
}

function escaped(kind: number, point: number | undefined, end: number): Escape | undefined {
  if (point === undefined || point > 0x10ffff || (point < 0x20 && point !== 0x0a && point !== 0x0d && point !== 0x09)) {
    return undefined;
  }
  return { kind, end, point };
}

/** The number that `digits` hex digits at `at` write, or undefined. */
function hexNumber(text: string, at: number, digits: number): number | undefined {
  let value = 0;
  for (let i = at; i < at + digits; i++) {
    const digit = hexDigit(text.charCodeAt(i));
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return digits > 0 ? value : undefined;
}

function isDigit(unit: number, hex: boolean): boolean {
  return hex ? hexDigit(unit) >= 0 : unit >= 0x30 && unit <= 0x39;
}

function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
