import type { Finding, Verdict } from '../domain/finding.js';
import { type PolicyCode, policyCodes } from '../domain/policy.js';
import type { Profile } from '../engine/judge/profile.js';
import type { Sample } from './sample.js';
import type { Weigher } from './weighed.js';

/** A sample and what a profile made of it. */
export interface Judged {
  readonly sample: Sample;
  readonly flagged: boolean;
  /** Policies that reached their threshold. */
  readonly policies: readonly PolicyCode[];
  readonly scores: Verdict['scores'];
  /** Findings of `policies` where they reach their thresholds: what a client would see. */
  readonly findings: readonly Finding[];
  /** All findings, however weak. */
  readonly all: readonly Finding[];
  /** Every rule that hit, also where its policy stayed below the threshold; sorted. */
  readonly rules: readonly string[];
}

/** What a sample's verdict amounts to: attacks are found or missed, benign samples flagged or clean. */
export type Outcome = 'found' | 'missed' | 'flagged' | 'clean';

/**
 * The same profile with every threshold next to zero: its verdicts hold the scores and findings of all policies, from
 * which `judgedUnder` makes what the profile itself says. One scan serves verdict, curves and rules.
 */
export function withoutThresholds(profile: Profile): Profile {
  return { ...profile, settings: profile.settings.map(({ mode }) => ({ mode, threshold: Number.MIN_VALUE })) };
}

/** What `profile` says of a sample, from its verdict under `withoutThresholds(profile)`. */
export function judgedUnder(profile: Profile, sample: Sample, verdict: Verdict, weigher: Weigher): Judged {
  const { scores } = verdict;
  const policies = policyCodes.filter((code, index) => (scores[code] ?? 0) >= profile.settings[index].threshold);
  const shown = new Set(policies.flatMap((policy) => weigher.weigh(verdict.findings, policy).convicting));
  return {
    sample,
    flagged: policies.some((code) => profile.settings[policyCodes.indexOf(code)].mode === 'enforce'),
    policies,
    scores,
    findings: verdict.findings.filter((finding) => shown.has(finding)),
    all: verdict.findings,
    rules: [...new Set(verdict.findings.flatMap(({ ruleIds }) => ruleIds))].sort(),
  };
}

/** True if the sample was flagged, and as this policy among others. */
export function isFlaggedAs({ flagged, policies }: Judged, policy: PolicyCode): boolean {
  return flagged && policies.includes(policy);
}

/** An attack is found where it is flagged as one of the policies that it is labelled with. */
export function outcomeOf(judged: Judged): Outcome {
  const { sample, flagged } = judged;
  if (!sample.isAttack) return flagged ? 'flagged' : 'clean';
  return sample.policies.some((policy) => isFlaggedAs(judged, policy)) ? 'found' : 'missed';
}
