import type { Finding } from '../domain/finding.js';
import { type PolicyCode, policyCodes } from '../domain/policy.js';
import { weigh } from '../engine/judge/evidence.js';
import type { Profile } from '../engine/judge/profile.js';
import type { Program } from '../engine/program.js';

/** One rule's part of a finding, as the judge weighs it. */
interface Part {
  readonly rule: number;
  readonly start: number;
  readonly end: number;
  readonly score?: number;
  readonly finding: Finding;
}

export interface Weighed {
  /** Whether the threshold is reached in some message. */
  readonly isReached: boolean;
  /** What stands where it is. */
  readonly convicting: readonly Finding[];
}

/** Weighs findings of all strengths as the judge does under a profile, also without one of the rules. */
export class Weigher {
  private readonly program: Program;
  private readonly profile: Profile;
  private readonly places: ReadonlyMap<string, number>;

  constructor(program: Program, profile: Profile) {
    this.program = program;
    this.profile = profile;
    this.places = new Map(program.rules.map(({ id }, place) => [id, place]));
  }

  /** The place of a rule in the program; undefined for one that is none of its. */
  placeOf(id: string): number | undefined {
    return this.places.get(id);
  }

  /** `without`: the place of a rule that is not to count. */
  weigh(findings: readonly Finding[], policy: PolicyCode, without?: number): Weighed {
    const { threshold } = this.profile.settings[policyCodes.indexOf(policy)];
    const messages = new Map<number, Part[]>();
    for (const finding of findings) {
      if (finding.policy !== policy) continue;
      const parts = messages.get(finding.messageId) ?? [];
      parts.push(...this.partsOf(finding).filter(({ rule }) => rule !== without));
      messages.set(finding.messageId, parts);
    }
    const scoreOf = (rule: number) => this.program.rules[rule].score;
    const weighed = [...messages.values()].map((parts) => weigh(parts, scoreOf, threshold));
    return {
      isReached: weighed.some(({ score }) => score > 0 && score >= threshold),
      convicting: [
        ...new Set(weighed.flatMap(({ convicting }) => (convicting as readonly Part[]).map(({ finding }) => finding))),
      ],
    };
  }

  private partsOf(finding: Finding): readonly Part[] {
    const { start, end, ruleIds, score } = finding;
    // Where a model and a rule mark the very same, which of them gave the score is not told.
    const ofModel = ruleIds.length === 1 && score !== undefined ? { score } : {};
    return ruleIds.flatMap((id) => {
      const rule = this.placeOf(id);
      return rule === undefined ? [] : [{ rule, start, end, finding, ...ofModel }];
    });
  }
}
