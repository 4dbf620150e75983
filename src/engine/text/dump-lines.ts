/** Dumps of bytes: lines of an offset and of numbers, as `xxd`, `hexdump` and `od` write them. */

/** A line of fewer is no dump. */
const linesMin = 2;
/** Longer lines are none. */
const lineMax = 200;
/** One place in each step is looked at, and so many units from it on. */
const probeStep = 128;
const probeUnits = 8;

/** An offset, and four numbers in hex or more; with a letter, because without one they may be any numbers. */
const inHex = /^[ \t]{0,8}(?:0x)?[0-9a-f]{4,16}:?((?:[ \t]{1,3}[0-9a-f]{2,8}){4,32})(?![^\s|>])/i;
const letter = /[a-f]/i;
/** An offset, and eight bytes or more: in octal, or as what they print. Four in octal, because without them it may be spaced text. */
const inOctal = /^[0-7]{7}((?:[ \t]{1,3}(?:[0-7]{3}|\\[0a-z]|[!-~])){8,16})(?!\S)/;
const octals = /(?:.*?[0-7]{3}){4}/;

/**
 * Start and end of the offset and the numbers of every line of a dump, flat, ascending and disjoint. What the numbers print stays: it may
 * be read.
 */
export function dumpLines(text: string): readonly number[] {
  const parts: number[] = [];
  for (let at = 0; at + probeUnits <= text.length; at += probeStep) {
    if (!mayBeInDump(text, at)) continue;
    let line = lineAround(text, at);
    if (endOfNumbers(text, line) === 0) continue;
    while (line.start > 0) {
      const before = lineAround(text, line.start - 1);
      if (endOfNumbers(text, before) === 0) break;
      line = before;
    }
    const lines: number[] = [];
    for (let end = endOfNumbers(text, line); end > 0; end = endOfNumbers(text, line)) {
      lines.push(line.start, end);
      at = Math.max(at, line.end - probeStep + 1);
      if (line.end >= text.length) break;
      line = lineAround(text, line.end + 1);
    }
    if (lines.length >= 2 * linesMin) for (const bound of lines) parts.push(bound);
  }
  return parts;
}

/** True if a hit stands in the numbers of a line of a dump. */
export function isInDumpLine(text: string, start: number, end: number): boolean {
  return end <= endOfNumbers(text, lineAround(text, start));
}

interface Line {
  readonly start: number;
  readonly end: number;
}

/** The line that goes over a place; one that is longer than `lineMax` is cut off. */
function lineAround(text: string, at: number): Line {
  const from = Math.max(0, at - lineMax);
  const start = from + text.slice(from, Math.max(from, at)).lastIndexOf('\n') + 1;
  const length = text.slice(start, start + lineMax).indexOf('\n', at - start);
  return { start, end: length < 0 ? Math.min(text.length, start + lineMax) : start + length };
}

/** Where the numbers end of a line of a dump; 0 for other lines. */
function endOfNumbers(text: string, { start, end }: Line): number {
  if (end - start >= lineMax) return 0;
  const line = text.slice(start, end);
  const hex = inHex.exec(line);
  if (hex && letter.test(hex[1])) return start + hex[0].length;
  const octal = inOctal.exec(line);
  return octal && octals.test(octal[1]) ? start + octal[0].length : 0;
}

function mayBeInDump(text: string, from: number): boolean {
  for (let at = from; at < from + probeUnits; at++) {
    const unit = text.charCodeAt(at);
    const isDigit = (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x66);
    if (!isDigit && unit !== 0x20) return false;
  }
  return true;
}
