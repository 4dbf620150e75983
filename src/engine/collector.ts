import { limits } from '../domain/limits.js';
import { validators } from './detect/validators.js';
import { isAsked, type Program, type ProgramPattern, sharersOf } from './program.js';
import { isInOpaque } from './text/opaque.js';
import { hasWordBorders } from './text/word.js';

/** One match of one rule in one text; offsets in UTF-16 units, half-open. */
export interface Match {
  /** Rule index. */
  readonly rule: number;
  readonly start: number;
  readonly end: number;
}

export interface Matches {
  /** Ordered by rule index, then start; matches of one rule do not overlap (leftmost, then longest). */
  readonly list: readonly Match[];
  /** True if a rule had more than `limits.matchesPerRuleMax` matches. */
  readonly truncated: boolean;
}

/** Takes the hits of regexes in one text. */
export interface HitTaker {
  readonly text: string;
  /** Takes a regex's hit if its validators pass; false when no more are wanted of its pattern. */
  takeHit(pattern: number, start: number, end: number): boolean;
}

/** Matches of one rule that are gathered. Twice the limit, because overlapping ones are dropped only in the end. */
export const gatheredPerRuleMax: number = 2 * limits.matchesPerRuleMax;

/**
 * Gathers the matches of one text after the other, rule by rule, and stops taking them where a rule has enough. Rules that
 * share patterns share the gathering: only in the end does each that is asked get matches of its own.
 */
export class Collector implements HitTaker {
  text = '';
  role = 0;
  private readonly program: Program;
  private readonly sharers: readonly (readonly number[] | undefined)[];
  private rules: Uint8Array = new Uint8Array(0);
  /** By the rule that the patterns belong to. */
  private readonly byRule = new Map<number, Match[]>();
  private truncated = false;

  constructor(program: Program) {
    this.program = program;
    this.sharers = sharersOf(program.rules);
  }

  /** Forgets the text before. */
  begin(text: string, role: number, rules: Uint8Array): void {
    this.text = text;
    this.role = role;
    this.rules = rules;
    if (this.byRule.size > 0) this.byRule.clear();
    this.truncated = false;
  }

  /** True if a rule that the pattern speaks for is asked. */
  wants({ rule }: ProgramPattern): boolean {
    if (isAsked(this.program, rule, this.role, this.rules)) return true;
    const sharers = this.sharers[rule];
    return sharers?.some((sharer) => isAsked(this.program, sharer, this.role, this.rules)) ?? false;
  }

  addBordered(pattern: ProgramPattern, start: number, end: number): void {
    if (pattern.bordered && !hasWordBorders(this.text, start, end)) return;
    if (isValid(pattern, this.text, start, end)) this.add(pattern.rule, start, end);
  }

  takeHit(index: number, start: number, end: number): boolean {
    const pattern = this.program.patterns[index];
    return isValid(pattern, this.text, start, end) ? this.add(pattern.rule, start, end) : true;
  }

  /** Adds a match of a rule's own pattern that needs no more proof; false when no more are taken. */
  add(rule: number, start: number, end: number): boolean {
    const list = this.byRule.get(rule);
    if (!list) {
      this.byRule.set(rule, [{ rule, start, end }]);
      return true;
    }
    if (list.length >= gatheredPerRuleMax) {
      this.truncated = true;
      return false;
    }
    list.push({ rule, start, end });
    return true;
  }

  result(): Matches {
    if (this.byRule.size === 0) return noMatches;
    const lists: (readonly Match[])[] = [];
    for (const [rule, gathered] of this.byRule) {
      const kept = leftmostLongest(gathered);
      if (kept.length > limits.matchesPerRuleMax) this.truncated = true;
      const list = kept.slice(0, limits.matchesPerRuleMax);
      const sharers = this.sharers[rule];
      if (!sharers) lists.push(list);
      else for (const each of [rule, ...sharers]) this.giveTo(each, list, lists);
    }
    // None is empty.
    lists.sort(([a], [b]) => a.rule - b.rule);
    return { list: lists.flat(), truncated: this.truncated };
  }

  /** The matches of a rule's patterns as those of one that is asked. */
  private giveTo(rule: number, list: readonly Match[], lists: (readonly Match[])[]): void {
    if (!isAsked(this.program, rule, this.role, this.rules)) return;
    lists.push(list.map(({ start, end }) => ({ rule, start, end })));
  }
}

/**
 * True if a hit of the pattern's regex is whole, stands in no opaque part of the text, passes its validators, is no known dummy, and is not called something
 * harmless.
 */
export function isValid(pattern: ProgramPattern, text: string, start: number, end: number): boolean {
  if (splitsEscape(text, start)) return false;
  const { validate, unless, unlessBefore, unlessAfter } = pattern;
  if (isInOpaque(text, start, end)) return false;
  if (validate.length === 0 && unless.length === 0 && !unlessBefore && !unlessAfter) return true;
  const hit = text.slice(start, end);
  if (!validate.every((name) => validators.get(name)?.(hit, text, start) ?? false)) return false;
  if (unless.length > 0 && includesAny(hit, unless)) return false;
  if (!unlessBefore && !unlessAfter) return true;
  const before = beforeOnLine(text, start);
  if (unlessBefore && includesAny(before.replace(otherSentences, ''), unlessBefore)) return false;
  return !unlessAfter || !endsWithAny(before, unlessAfter, hit);
}

/** True where a hit begins with half of an escape and a number (`\n536-22-8726`). The view of escapes reads what stands there. */
function splitsEscape(text: string, start: number): boolean {
  if (start === 0 || text.charCodeAt(start - 1) !== 0x5c) return false;
  const next = text.charCodeAt(start + 1);
  return next >= 0x30 && next <= 0x39 && 'nrt'.includes(text[start]);
}

/** What stands on the hit's line before it, as far as `unlessBefore` looks, which heeds its sentence alone. */
function beforeOnLine(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - beforeUnits), start);
  return before.slice(before.lastIndexOf('\n') + 1);
}

/** The dot of `e.g.` ends none. */
const otherSentences = /^.*(?:[;!?]|(?<!\.\p{L})\.)\s/u;

/** A dot may be that of an abbreviation before a number (`no. 12345`). */
const endOfSentence = /[;!?]\s|[。！？]/;

const startsWithLetter = /^\p{L}/u;

/** In UTF-16 units. */
const beforeUnits = 32;

function includesAny(text: string, parts: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return parts.some((part) => lower.includes(part));
}

/** True if what stands before a hit ends with one of the words, but for signs and white space behind it that end no sentence. */
function endsWithAny(before: string, words: readonly string[], hit: string): boolean {
  const [signs = ''] = /[^\p{L}\p{N}_]{1,6}$/u.exec(before) ?? [];
  if (endOfSentence.test(signs) || (signs.includes('. ') && startsWithLetter.test(hit))) return false;
  const end = before.slice(0, before.length - signs.length).toLowerCase();
  return words.some((word) => end.endsWith(word) && !/[\p{L}\p{N}_]/u.test(end.at(-word.length - 1) ?? ''));
}

const noMatches: Matches = { list: [], truncated: false };

/** Of overlapping matches the leftmost stays, of those with one start the longest. */
function leftmostLongest(matches: Match[]): Match[] {
  matches.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Match[] = [];
  let end = -1;
  for (const match of matches) {
    if (match.start < end) continue;
    kept.push(match);
    end = match.end;
  }
  return kept;
}
