/**
 * Opaque parts of a text are long runs of letters and digits without any order: an image in base64, a block of hashes, a list of
 * identifiers. What looks like a key, a number or a word in the middle of one does so by chance, and a run of a megabyte holds some.
 */

/** Fewest units of a run, breaks between its lines included. */
const runMin = 256;
/** Shorter lines are words, names and numbers, one below the other. */
const lineMin = 32;
/** Units that are judged at a time, and fewest of an opaque part. */
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
/** Units of a line in PEM (RFC 7468) and in mail (RFC 2045). */
const encodedLines: readonly number[] = [64, 76];
const newline = 0x0a;

/** Start and end of every opaque part, flat, ascending and disjoint. In a text without any one unit in five is looked at. */
export function opaqueParts(text: string): readonly number[] {
  let parts: number[] | undefined;
  for (let at = 0; at + probeUnits <= text.length; at += probeStep) {
    if (!mayBeInRun(text, at)) continue;
    const end = endOfRun(text, at, text.length);
    const start = startOfRun(text, at, 0);
    if (end - start >= runMin) {
      parts ??= [];
      addParts(parts, text, start, end);
    }
    at = Math.max(at, end - probeStep);
  }
  return parts ?? none;
}

const none: readonly number[] = [];

/** True if a hit stands in the middle of an opaque part. A whole line may be a key in a list of keys, but for one that an encoder broke. */
export function isInOpaque(text: string, start: number, end: number): boolean {
  const beginsLine = text.charCodeAt(start - 1) === newline;
  const endsLine = text.charCodeAt(end) === newline;
  const isMiddle = (beginsLine || kindAt(text, start - 1) !== kind.none) && (endsLine || kindAt(text, end) !== kind.none);
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
    if (kindAt(text, at) === kind.none && unit !== newline && unit !== 0x0d && unit !== 0x5c) return false;
  }
  return true;
}

/** Where the run ends that goes over a place; of lines the last one may be short. */
function endOfRun(text: string, from: number, limit: number): number {
  const most = Math.min(text.length, limit);
  let end = from;
  for (let line = from; ; line = end) {
    while (end < most && kindAt(text, end) !== kind.none) end++;
    lineBreak.lastIndex = end;
    const next = end + (lineBreak.exec(text)?.[0].length ?? 0);
    // What stands before `from` belongs to the first line, too.
    const isLong = end - line >= lineMin || line === from;
    if (next === end || next >= most || !isLong || kindAt(text, next) === kind.none) return end;
    end = next;
  }
}

/** Where the run begins; of lines the first one may be short. */
function startOfRun(text: string, from: number, limit: number): number {
  const least = Math.max(0, limit);
  let start = from;
  for (let line = from; ; line = start) {
    while (start > least && kindAt(text, start - 1) !== kind.none) start--;
    const isLong = line - start >= lineMin || line === from;
    const before = text.slice(Math.max(least, start - breakUnitsMax), start);
    const broken = /(?:(?:\\r)?\\n|\r?\n[ \t]{0,16})$/.exec(before);
    if (!broken || !isLong || kindAt(text, start - broken[0].length - 1) === kind.none) return start;
    start -= broken[0].length;
  }
}

/** Adds what is opaque of a run. */
function addParts(parts: number[], text: string, start: number, end: number): void {
  let from = start;
  for (let at = start; at < end; at += stretchUnits) {
    const to = Math.min(end, at + stretchUnits);
    const isLast = to === end;
    // The rest of a run is too short to be judged.
    const isPart = to - at < stretchUnits || isWithoutOrder(text, at, to);
    if (isPart && !isLast) continue;
    const stop = isPart ? to : at;
    if (stop - from >= partMin) parts.push(from, stop);
    from = to;
  }
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
