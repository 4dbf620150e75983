import { type PolicyCode, policyCodes } from '../domain/policy.js';
import { isWithin } from '../domain/span.js';
import type { Engine } from './automaton/searcher.js';
import type { Profile } from './judge/profile.js';
import { allRoles, type Detector, detectorsOf, type Program, type ProgramRule } from './program.js';
import { decodeProgram } from './program-layout.js';
import { createScanner, type Scanner } from './scanner.js';
import { type FoundMatch, type FoundMatches, matchViews } from './view/match-views.js';

/** What an overlay is made of: plain data and shared memory, so that it can go to other threads. */
export interface OverlayParts {
  /** Names the content: equal ids, equal overlays. */
  readonly id: string;
  /** Names the program: equal ids, equal programs. */
  readonly programId: string;
  readonly program: WebAssembly.Memory;
  /** How many of the program's rules are judged. Those behind them find allowed phrases, one for each of `allowed`. */
  readonly ruleCount: number;
  readonly allowed: readonly Allowance[];
}

/** Whose matches an allowed phrase covers. */
export interface Allowance {
  readonly policies: readonly PolicyCode[];
  readonly ruleIds: readonly string[];
}

/**
 * An organization's own rules beside the shipped ones, on one thread. Rules are counted through: first those of the
 * base, then the overlay's. Not for use by two threads.
 */
export interface Overlay {
  readonly parts: OverlayParts;
  /** The program of the shipped rules. */
  readonly base: Program;
  /** Size of the program in its memory. */
  readonly bytes: number;
  /** The rules of base and overlay, by their common index. */
  readonly rules: readonly ProgramRule[];
  /** Those of base and overlay, ordered by policy, then label. */
  readonly detectors: readonly Detector[];
  /**
   * What the shipped rules found in a text and its views and what its own find there, by their common index, without
   * the matches that lie within an allowed phrase. Where a limit cut matches off nothing is allowed: behind a flood of
   * allowed matches there may be another.
   */
  join(shipped: FoundMatches, profile: Profile, text: string, role: number): FoundMatches;
  /** What the overlay's own rules of a policy find in a text and its views, whatever profile, role and allow-list. */
  matchPolicy(text: string, policy: PolicyCode): FoundMatches;
  /**
   * The same program beside another base, or with other phrases allowed: `parts` have its `programId`. Works in the memory
   * that this overlay works in, so it costs none, and either may go on.
   */
  over(parts: OverlayParts, base: Program): Overlay;
}

/**
 * Opens an overlay over the program `base`. Takes a megabyte or two of the program's memory for good: whoever has one open
 * makes others of its program by `Overlay.over`. Throws `ProgramFormatError` for a program that is damaged.
 */
export function openOverlay(parts: OverlayParts, base: Program, engine?: Engine): Overlay {
  const program = decodeProgram(parts.program);
  return overlayOver(createScanner(program, engine === undefined ? {} : { engine }), parts, base);
}

function overlayOver(scanner: Scanner, parts: OverlayParts, base: Program): Overlay {
  const { program } = scanner;
  const own = program.rules.slice(0, parts.ruleCount);
  const rules = [...base.rules, ...own];
  const covered = parts.allowed.map((allowance) => coveredRules(allowance, rules));
  const phrases = Uint8Array.from(program.rules, (_, index) => (index >= parts.ruleCount ? 1 : 0));
  const masks = new WeakMap<Profile, Uint8Array>();
  const maskOf = (profile: Profile): Uint8Array => {
    const known = masks.get(profile);
    if (known) return known;
    const mask = Uint8Array.from(program.rules, (rule, index) =>
      index < parts.ruleCount && isOn(profile, rule.policy) ? 1 : 0,
    );
    masks.set(profile, mask);
    return mask;
  };

  const suppress = (text: string, found: readonly FoundMatch[]): readonly FoundMatch[] => {
    const { list } = scanner.match(text, allRoles, phrases);
    if (list.length === 0) return found;
    const spans = covered.map((_, place) => list.filter(({ rule }) => rule === parts.ruleCount + place));
    return found.filter(
      (match) => !spans.some((places, place) => covered[place][match.rule] === 1 && isWithin(match, places)),
    );
  };

  return {
    parts,
    base,
    bytes: program.bytesLength,
    rules,
    detectors: detectorsOf(rules),
    join: (first, profile, text, role) => {
      const second = parts.ruleCount === 0 ? noMatches : matchViews(scanner, text, role, maskOf(profile));
      const truncated = first.truncated || second.truncated;
      const shifted = second.list.map((match) => ({ ...match, rule: match.rule + base.rules.length }));
      const list = shifted.length === 0 ? first.list : [...first.list, ...shifted];
      const mayAllow = !truncated && list.length > 0 && covered.length > 0;
      return { list: mayAllow ? suppress(text, list) : list, truncated };
    },
    matchPolicy: (text, policy) => {
      const mask = Uint8Array.from(program.rules, (rule, index) =>
        index < parts.ruleCount && rule.policy === policy ? 1 : 0,
      );
      return matchViews(scanner, text, allRoles, mask);
    },
    over: (others, otherBase) => overlayOver(scanner, others, otherBase),
  };
}

const noMatches: FoundMatches = { list: [], truncated: false };

function isOn(profile: Profile, policy: PolicyCode): boolean {
  return profile.settings[policyCodes.indexOf(policy)].mode !== 'off';
}

function coveredRules({ policies, ruleIds }: Allowance, rules: readonly ProgramRule[]): Uint8Array {
  return Uint8Array.from(rules, ({ id, policy }) => (policies.includes(policy) || ruleIds.includes(id) ? 1 : 0));
}
