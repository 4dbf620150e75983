/** Long runs of letters and digits without any order: an image in base64, a block of hashes, a list of identifiers. */

/** Fewest units of a run, breaks between its lines included. */
const runMin = 256;
/** Shorter lines are words, names and numbers, one below the other. */
const lineMin = 32;
/** Units that are judged at a time, and fewest of a part. */
const stretchUnits = 64;
const partMin = 3 * stretchUnits;
/** One place in each step is looked at, and so many units from it on: a run of the least length goes over one of them. */
const probeStep = runMin / 2;
const probeUnits = 24;
/** Of 63 neighbours in base64 some forty are of different kinds: small, capital, digit or sign; in words without spaces a third. */
const changesMin = 27;
/** How far around a hit a run is looked for. */
const aroundUnits = 1_024;

const kind = { none: 0, digit: 1, lower: 2, upper: 3, sign: 4, beyondHex: 8 } as const;
/** Of the alphabets of base64 and hex. */
const kinds: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, unit) => kindOf(String.fromCharCode(unit)));

function kindOf(letter: string): number {
  if (/[0-9]/.test(letter)) return kind.digit;
  if (/[a-z]/.test(letter)) return kind.lower | (letter > 'f' ? kind.beyondHex : 0);
  if (/[A-Z]/.test(letter)) return kind.upper | (letter > 'F' ? kind.beyondHex : 0);
  if (letter === '-') return kind.sign;
  return /[+/_]/.test(letter) ? kind.sign | kind.beyondHex : kind.none;
}

/** As encoders break lines, in a text or within a string of JSON. */
const lineBreak = /(?:\\r)?\\n|\r?\n[ \t]{0,16}/y;
const breakUnitsMax = 18;
const lineBreakBehind = new RegExp(`(?:${lineBreak.source})$`);
/** Units of a line in PEM (RFC 7468) and in mail (RFC 2045). */
const encodedLines: readonly number[] = [64, 76];
const newline = 0x0a;
const backslash = 0x5c;

/** Start and end of every part without order, flat, ascending and disjoint. In a text without any few units are looked at. */
export function randomRuns(text: string): readonly number[] {
  const parts: number[] = [];
  let end = 0;
  for (let at = 0; at + probeUnits <= text.length; at += probeStep) {
    if (!mayBeInRun(text, at)) continue;
    const start = startOfRun(text, at, end);
    end = endOfRun(text, at, text.length);
    if (end - start >= runMin) addParts(parts, text, start, end);
    at = Math.max(at, end - probeStep);
  }
  return parts;
}

/** True if a hit stands in the middle of such a part. A whole line may be a key in a list of keys, but for one that an encoder broke. */
export function isInRandomRun(text: string, start: number, end: number): boolean {
  const beginsLine = text.charCodeAt(start - 1) === newline;
  const endsLine = text.charCodeAt(end) === newline;
  const isMiddle =
    (beginsLine || kindAt(text, start - 1) !== kind.none) && (endsLine || kindAt(text, end) !== kind.none);
  if (!isMiddle || (beginsLine && endsLine && !encodedLines.includes(end - start))) return false;
  const from = startOfRun(text, start, start - aroundUnits);
  const to = endOfRun(text, end, end + aroundUnits);
  if (to - from < runMin) return false;
  const parts: number[] = [];
  addParts(parts, text, from, to);
  for (let i = 0; i < parts.length; i += 2) if (parts[i] < start && end < parts[i + 1]) return true;
  return false;
}

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 0x80 ? kinds[unit] : kind.none;
}

function mayBeInRun(text: string, from: number): boolean {
  for (let at = from; at < from + probeUnits; at++) {
    const unit = text.charCodeAt(at);
    if (kindAt(text, at) === kind.none && unit !== newline && unit !== 0x0d && unit !== backslash) return false;
  }
  return true;
}

/** Where the run ends that goes over a place. Of its lines the last one may be short, but not the beginning of a sentence. */
function endOfRun(text: string, from: number, limit: number): number {
  const most = Math.min(text.length, limit);
  let end = from;
  for (let line = from, before = from; ; before = end, line = end = nextLine(text, end)) {
    while (end < most && kindAt(text, end) !== kind.none) end++;
    // What stands before `from` belongs to the first line, too.
    const isShort = line !== from && end - line < lineMin;
    if (isShort && end < most && !isEdge(text.charCodeAt(end))) return before;
    const next = nextLine(text, end);
    if (isShort || next === end || next >= most || kindAt(text, next) === kind.none) return end;
  }
}

/** Where the line behind a break begins, or the place where there is none. */
function nextLine(text: string, at: number): number {
  lineBreak.lastIndex = at;
  return at + (lineBreak.exec(text)?.[0].length ?? 0);
}

/** Where the run begins; of its lines the first one may be short, but not the end of a sentence. */
function startOfRun(text: string, from: number, limit: number): number {
  const least = Math.max(0, limit);
  let start = from;
  for (let line = from, behind = from; ; behind = start, line = start = lineBefore(text, start)) {
    while (start > least && kindAt(text, start - 1) !== kind.none) start--;
    // The letter of an escape.
    if (text.charCodeAt(start - 1) === backslash) start++;
    const isShort = line !== from && line - start < lineMin;
    if (isShort && start > least && !isEdge(text.charCodeAt(start - 1))) return behind;
    const before = lineBefore(text, start);
    if (isShort || before === start || before <= least || kindAt(text, before - 1) === kind.none) return start;
  }
}

/** Where the line before a break ends, or the place where there is none. */
function lineBefore(text: string, at: number): number {
  return at - (lineBreakBehind.exec(text.slice(Math.max(0, at - breakUnitsMax), at))?.[0].length ?? 0);
}

/** True for what stands beside a value, unlike a space beside a word. */
function isEdge(unit: number): boolean {
  return unit === newline || unit === 0x0d || unit === backslash || '"\'`=<>,'.includes(String.fromCharCode(unit));
}

/** Adds what is without order in a run: all but stretches with some order, and those beside them, over which its ends may go. */
function addParts(parts: number[], text: string, start: number, end: number): void {
  let from = start;
  const addUpTo = (stop: number): void => {
    if (stop - from >= partMin) parts.push(from, stop);
  };
  // The rest of a run is too short to be judged.
  for (let at = start; at + stretchUnits <= end; at += stretchUnits) {
    if (isWithoutOrder(text, at, at + stretchUnits)) continue;
    addUpTo(at - stretchUnits);
    from = at + 2 * stretchUnits;
  }
  addUpTo(end);
}

/** As random letters of base64 nearly always are, and of hex; hardly ever words, paths or numbers. */
function isWithoutOrder(text: string, start: number, end: number): boolean {
  let digits = 0;
  let lower = 0;
  let upper = 0;
  let hex = 0;
  let changes = 0;
  let before = 0;
  for (let at = start; at < end; at++) {
    const is = kindAt(text, at);
    const kindOfHex = is & ~kind.beyondHex;
    if (kindOfHex === kind.digit) digits++;
    else if (kindOfHex === kind.lower) lower++;
    else if (kindOfHex === kind.upper) upper++;
    if (is === kindOfHex) hex++;
    if (kindOfHex !== before) changes++;
    before = kindOfHex;
  }
  if (hex === end - start) return digits >= 16 && lower + upper >= 8;
  return digits >= 2 && lower >= 10 && upper >= 10 && changes >= changesMin;
}
