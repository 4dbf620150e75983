import { limits } from '../../domain/limits.js';
import { isWordUnit } from '../text/word.js';
import { guessedKinds } from './kinds.js';

/**
 * Another reading of a text, with a map back. Where only parts of a long text read differently, the view holds those
 * parts with `limits.viewContextUnits` of text around them, and a break between them.
 */
export interface View {
  readonly text: string;
  /** Bit set of `viewKinds`: all that made it; 0 for the text itself. */
  readonly kinds: number;
  /** Those of them that made it of its parent. */
  readonly own: number;
  /** Decodings that lie between the text and this view. */
  readonly depth: number;
  /**
   * For each unit of the view the original units it was read from, half-open; absent where the view is the text.
   * A break has start and end −1; where both are the same, the unit takes no room (`putBeside`).
   */
  readonly starts?: Int32Array;
  readonly ends?: Int32Array;
}

/** What all views of one message may still take, in UTF-16 units. */
export interface ViewBudget {
  unitsLeft: number;
  /** True once a view was cut off or left out. */
  spent: boolean;
}

/** Stands between parts of a text that are not neighbours: a noncharacter, so that no rule can be about it. */
const breakUnit = 0xffff;

export function rootView(text: string): View {
  return { text, kinds: 0, own: 0, depth: 0 };
}

/** A text without some parts of it, flat, ascending and disjoint, and with a break in place of each. */
export function withoutParts(text: string, parts: readonly number[]): View {
  const kept: string[] = [];
  const bounds = [0, ...parts, text.length];
  let length = 0;
  for (let i = 0; i < bounds.length; i += 2) {
    const piece = text.slice(bounds[i], bounds[i + 1]);
    kept.push(piece);
    length += piece.length + 1;
  }
  const starts = new Int32Array(length - 1).fill(-1);
  const ends = new Int32Array(length - 1).fill(-1);
  for (let i = 0, to = 0; i < bounds.length; i += 2, to++) {
    for (let at = bounds[i]; at < bounds[i + 1]; at++, to++) {
      starts[to] = at;
      ends[to] = at + 1;
    }
  }
  return { ...rootView(kept.join(String.fromCharCode(breakUnit))), starts, ends };
}

/** The smallest original span that covers `[start, end)` of a view, or undefined where that contains a break. */
export function originalSpan(
  view: View,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } | undefined {
  const { starts, ends } = view;
  if (!starts || !ends) return { start, end };
  let from = Number.MAX_SAFE_INTEGER;
  let to = 0;
  for (let i = start; i < end; i++) {
    if (starts[i] < 0) return undefined;
    if (starts[i] < from) from = starts[i];
    if (ends[i] > to) to = ends[i];
  }
  return from < to ? { start: from, end: to } : undefined;
}

/** Where a builder writes. */
interface Room {
  readonly units: Uint16Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

function roomFor(units: number): Room {
  return { units: new Uint16Array(units), starts: new Int32Array(units), ends: new Int32Array(units) };
}

/** What a builder holds before it is written to: most are never. */
const nothing = roomFor(0);

/** Room that one builder after the other writes to, while no two do at once; larger ones are given up. */
let spare: Room = nothing;
const spareUnitsMax = 1 << 18;

/**
 * Makes a view from a parent: `replace` names, in ascending order, parts of the parent that read differently, and
 * `put` what they read as. All else is copied, where near enough.
 */
export class ViewBuilder {
  /** Bits of the kinds that took part; set by the caller. */
  kinds = 0;
  private readonly parent: View;
  private readonly budget: ViewBudget;
  private room = nothing;
  private length = 0;
  /** Everything of the parent before this has been copied, replaced or passed over. */
  private position = 0;
  private edited = false;

  constructor(parent: View, budget: ViewBudget) {
    this.parent = parent;
    this.budget = budget;
  }

  /** `[from, to)` of the parent is left out; what is `put` next stands in its place. */
  replace(from: number, to: number): void {
    const context = limits.viewContextUnits;
    // Mostly the next part is near; only else is it worth looking for edges.
    if (from - this.position > (this.edited ? 2 * context : context)) this.pass(from);
    this.copyTo(from);
    this.position = to;
    this.edited = true;
  }

  /** Leaves out what is far from the last replaced part and from the next, which begins at `from`. */
  private pass(from: number): void {
    const { text } = this.parent;
    const context = limits.viewContextUnits;
    const behind = this.edited ? wordEnd(text, this.position + context) : 0;
    const before = wordStart(text, from - context);
    if (before > behind) {
      if (this.edited) {
        this.copyTo(behind);
        this.push(breakUnit, -1, -1);
      }
      this.position = before;
      if (!this.edited) this.push(breakUnit, -1, -1);
    }
  }

  /** One unit that is read from `[from, to)` of the parent. */
  put(unit: number, from: number, to: number): void {
    // Where the parent runs backwards, its first unit is not what begins first.
    const span = originalSpan(this.parent, from, to);
    if (span) this.push(unit, span.start, span.end);
  }

  putText(text: string, from: number, to: number): void {
    for (let i = 0; i < text.length; i++) this.put(text.charCodeAt(i), from, to);
  }

  /** What is read before the unit at `at` of the parent and takes no room there; nothing before a break, which has no place. */
  putBeside(text: string, at: number): void {
    const place = this.startOf(at);
    if (place < 0) return;
    for (let i = 0; i < text.length; i++) this.push(text.charCodeAt(i), place, place);
  }

  /** The view, or undefined where nothing was replaced or nothing is left of the budget. */
  finish(depth: number = this.parent.depth): View | undefined {
    if (!this.edited || this.kinds === 0) return undefined;
    const { text } = this.parent;
    const end = wordEnd(text, this.position + limits.viewContextUnits);
    this.copyTo(end);
    if (end < text.length) this.push(breakUnit, -1, -1);
    this.budget.unitsLeft -= this.length;
    if (this.length === 0) return undefined;
    const { units, starts, ends } = this.room;
    const view = {
      text: Buffer.from(units.buffer, 0, this.length * 2).toString('utf16le'),
      kinds: this.parent.kinds | this.kinds,
      own: this.kinds,
      depth,
      starts: starts.slice(0, this.length),
      ends: ends.slice(0, this.length),
    };
    if (units.length > spare.units.length && units.length <= spareUnitsMax) spare = this.room;
    this.room = nothing;
    return view;
  }

  private copyTo(end: number): void {
    const { text } = this.parent;
    for (let i = this.position; i < end; i++) this.push(text.charCodeAt(i), this.startOf(i), this.endOf(i));
    if (end > this.position) this.position = end;
  }

  private startOf(at: number): number {
    return this.parent.starts ? this.parent.starts[at] : at;
  }

  private endOf(at: number): number {
    return this.parent.ends ? this.parent.ends[at] : at + 1;
  }

  private push(unit: number, start: number, end: number): void {
    if (this.length >= this.budget.unitsLeft) {
      this.budget.spent = true;
      return;
    }
    if (this.length === this.room.units.length) this.grow();
    const { units, starts, ends } = this.room;
    units[this.length] = unit;
    starts[this.length] = start;
    ends[this.length] = end;
    this.length++;
  }

  private grow(): void {
    const { room } = this;
    const size = room.units.length;
    if (spare.units.length > size) {
      this.room = spare;
      spare = nothing;
    } else this.room = roomFor(size === 0 ? Math.min(this.parent.text.length, 1024) + 64 : size * 2);
    this.room.units.set(room.units);
    this.room.starts.set(room.starts);
    this.room.ends.set(room.ends);
  }
}

/**
 * The views that `make` gives: of all kinds, and before it one without those that are guessed, where there are others, too. Rules that
 * trust no guesses, and what is done once, know a view by all that made it.
 */
export function withUnguessed(make: (without: number) => View | undefined): readonly View[] {
  const whole = make(0);
  if (whole === undefined) return [];
  const isMixed = (whole.own & guessedKinds) !== 0 && (whole.own & ~guessedKinds) !== 0;
  const unguessed = isMixed ? make(guessedKinds) : undefined;
  return unguessed === undefined ? [whole] : [unguessed, whole];
}

/** Longest word, or run of base64, that a part's edge is moved over, so that no part begins or ends inside of it. */
const edgeWordMax = 4_096;

function wordStart(text: string, at: number): number {
  if (at <= 0) return 0;
  const stop = Math.max(0, at - edgeWordMax);
  let start = at;
  while (start > stop && !isBoundary(text, start)) start--;
  return start;
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const stop = Math.min(text.length, at + edgeWordMax);
  let end = at;
  while (end < stop && !isBoundary(text, end)) end++;
  return end;
}

/** True if no word, no run of base64 and no surrogate pair goes over `at`. */
function isBoundary(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit >= 0xdc00 && unit <= 0xdfff) return false;
  return !(isJoined(unit) && isJoined(text.charCodeAt(at - 1)));
}

function isJoined(unit: number): boolean {
  return isWordUnit(unit) || unit === 0x2b || unit === 0x2d || unit === 0x2f || unit === 0x3d;
}
