import { limits } from '../domain/limits.js';
import { validators } from './detect/validators.js';
import { isAsked, type Program, type ProgramPattern } from './program.js';
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

/** Gathers the matches of one text after the other, rule by rule, and stops taking them where a rule has enough. */
export class Collector implements HitTaker {
  text = '';
  private readonly program: Program;
  private role = 0;
  private rules: Uint8Array = new Uint8Array(0);
  private readonly byRule = new Map<number, Match[]>();
  private truncated = false;

  constructor(program: Program) {
    this.program = program;
  }

  /** Forgets the text before. */
  begin(text: string, role: number, rules: Uint8Array): void {
    this.text = text;
    this.role = role;
    this.rules = rules;
    if (this.byRule.size > 0) this.byRule.clear();
    this.truncated = false;
  }

  wants(pattern: ProgramPattern): boolean {
    return isAsked(this.program, pattern.rule, this.role, this.rules);
  }

  addBordered(pattern: ProgramPattern, start: number, end: number): void {
    if (!pattern.bordered || hasWordBorders(this.text, start, end)) this.add(pattern.rule, start, end);
  }

  takeHit(index: number, start: number, end: number): boolean {
    const pattern = this.program.patterns[index];
    return isValid(pattern, this.text, start, end) ? this.add(pattern.rule, start, end) : true;
  }

  /** Adds a match that needs no more proof; false when the rule takes no more. */
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
    const list: Match[] = [];
    for (const rule of [...this.byRule.keys()].sort((a, b) => a - b)) {
      const kept = leftmostLongest(this.byRule.get(rule) ?? []);
      if (kept.length > limits.matchesPerRuleMax) this.truncated = true;
      list.push(...kept.slice(0, limits.matchesPerRuleMax));
    }
    return { list, truncated: this.truncated };
  }
}

/** True if a hit of the pattern's regex passes its validators and is no known dummy. */
export function isValid(pattern: ProgramPattern, text: string, start: number, end: number): boolean {
  if (pattern.validate.length === 0 && pattern.unless.length === 0) return true;
  const hit = text.slice(start, end);
  if (!pattern.validate.every((name) => validators.get(name)?.(hit) ?? false)) return false;
  const lower = hit.toLowerCase();
  return !pattern.unless.some((dummy) => lower.includes(dummy));
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
