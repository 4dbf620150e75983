/** Dumps of bytes: lines of an offset and of numbers, as `xxd`, `hexdump` and `od` write them. */

/** A line of fewer is no dump. */
const linesMin = 2;
/** Longer lines are none. */
const lineMax = 200;
/** One place in each step is looked at, and so many units from it on. */
const probeStep = 128;
const probeUnits = 8;

/** An offset, and four numbers in hex or more. */
const inHex = /^[ \t]{0,8}(?:0x)?[0-9a-f]{4,16}:?((?:[ \t]{1,3}[0-9a-f]{2,8}){4,32})(?![^\s|>])/i;
/** An offset, and eight bytes or more: in octal, or as what they print. */
const inOctal = /^[0-7]{7}((?:[ \t]{1,3}(?:[0-7]{3}|\\[0a-z]|[!-~])){8,16})(?!\S)/;
/** Without one they may be any numbers, or words. */
const telling = { hex: /[a-f]/i, octal: /[0-7]{3}/ } as const;

/** Start and end of every dump, flat, ascending and disjoint. */
export function dumpLines(text: string): readonly number[] {
  let dumps: number[] | undefined;
  for (let at = 0; at + probeUnits <= text.length; at += probeStep) {
    if (!mayBeInDump(text, at)) continue;
    const line = lineAround(text, at);
    if (!isLine(text, line.start, line.end)) continue;
    let { start, end } = line;
    let lines = 1;
    for (let before = lineAround(text, start - 1); start > 0 && isLine(text, before.start, before.end); lines++) {
      start = before.start;
      before = lineAround(text, start - 1);
    }
    for (let next = lineAround(text, end + 1); end < text.length && isLine(text, next.start, next.end); lines++) {
      end = next.end;
      next = lineAround(text, end + 1);
    }
    if (lines >= linesMin) {
      dumps ??= [];
      dumps.push(start, end);
    }
    at = Math.max(at, end - probeStep + 1);
  }
  return dumps ?? none;
}

const none: readonly number[] = [];

/** True if a hit is part of a line of a dump. */
export function isInDumpLine(text: string, start: number, end: number): boolean {
  const line = lineAround(text, start);
  return end <= line.end && isLine(text, line.start, line.end);
}

/** Where the line begins and ends that goes over a place; longer ones than `lineMax` are cut off. */
function lineAround(text: string, at: number): { readonly start: number; readonly end: number } {
  const from = Math.max(0, at - lineMax);
  const start = from + text.slice(from, Math.max(from, at)).lastIndexOf('\n') + 1;
  const length = text.slice(start, start + lineMax).indexOf('\n', at - start);
  return { start, end: length < 0 ? Math.min(text.length, start + lineMax) : start + length };
}

function isLine(text: string, start: number, end: number): boolean {
  if (end - start >= lineMax) return false;
  const line = text.slice(start, end);
  return telling.hex.test(inHex.exec(line)?.[1] ?? '') || telling.octal.test(inOctal.exec(line)?.[1] ?? '');
}

function mayBeInDump(text: string, from: number): boolean {
  for (let at = from; at < from + probeUnits; at++) {
    const unit = text.charCodeAt(at);
    const isDigit = (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x66);
    if (!isDigit && unit !== 0x20) return false;
  }
  return true;
}
