import { GuardError } from '../domain/errors.js';
import type { Finding } from '../domain/finding.js';
import type { Principal } from '../domain/identity.js';
import type { Message } from '../domain/message.js';
import { type PolicyCode, policyCodes } from '../domain/policy.js';
import type { PolicySetting } from '../domain/profile.js';
import type { Severity } from '../domain/severity.js';
import type { Profile } from '../engine/judge/profile.js';
import { learnedRulesOf } from '../engine/learned/learned-rules.js';
import type { Program } from '../engine/program.js';
import { type Store, StoreError } from '../store/store.js';
import type { Clock } from '../telemetry/clock.js';
import { type AssignedProfile, boundApplication } from './assigned-profile.js';
import type { Inspector } from './inspector.js';
import type { Overlays } from './overlays.js';
import type { EnforcedProfile, Profiles } from './profiles.js';
import type { RuleBook } from './rule-book.js';
import { overlaidVersion } from './scan-result.js';

/** Messages to be explained, under a named profile or that of an application; under the caller's own without either. */
interface ExplainRequest {
  readonly messages: readonly Message[];
  readonly profileId?: string;
  /** Lowercase UUID; not beside a profile. */
  readonly appUuid?: string;
  /** As of a `ScanRequest`. */
  readonly abandoned: () => AbortSignal;
}

/** Why a scan of these messages has its verdict. Nothing of it is recorded. */
export interface Explanation {
  readonly profileId: string;
  readonly flagged: boolean;
  /** Policies that reached their threshold. */
  readonly policies: readonly PolicyCode[];
  /** Of each policy that is not off, zero scores too. */
  readonly scores: readonly PolicyScore[];
  /** What the scan would report. */
  readonly matches: readonly ExplainedMatch[];
  /** What was found besides: of policies that stayed below their threshold, or apart from what reached it. */
  readonly hints: readonly ExplainedMatch[];
  readonly truncated: boolean;
  /** Index of the first message that was scanned. */
  readonly scannedFrom: number;
  readonly timing: { readonly queueUs: number; readonly scanUs: number };
  readonly policyVersion: string;
}

interface PolicyScore extends PolicySetting {
  readonly policy: PolicyCode;
  readonly score: number;
}

export interface ExplainedMatch extends Finding {
  readonly rules: readonly {
    readonly id: string;
    readonly score: number;
    readonly severity: Severity;
    readonly title: string;
    readonly why: string;
  }[];
}

/** As `Guard.scan` it throws or rejects where there is no verdict; also with `unknown_id` for an unknown profile. */
export type Explain = (principal: Principal, request: ExplainRequest) => Promise<Explanation>;

export interface ExplainOptions {
  readonly store: Pick<Store, 'customRules'>;
  readonly program: Program;
  readonly profiles: Profiles;
  readonly assignedProfile: AssignedProfile;
  readonly inspector: Inspector;
  readonly overlays: Overlays;
  readonly ruleBook: RuleBook;
  readonly clock: Clock;
}

export function createExplain(options: ExplainOptions): Explain {
  const { store, program, profiles, assignedProfile, inspector, overlays, ruleBook, clock } = options;

  const profileFor = (principal: Principal, { profileId, appUuid }: ExplainRequest): EnforcedProfile => {
    if (profileId === undefined) return assignedProfile(principal, boundApplication(principal, appUuid));
    const found = profiles.find(principal.organizationId, profileId);
    if (!found) throw new GuardError('unknown_id', 'Unknown profile_id.');
    return found;
  };

  /** Ids of the rules whose score is what the model says. */
  const learned = new Set([...learnedRulesOf(program).keys()].map((rule) => program.rules[rule].id));

  /** Reasons by rule id, for the rules that fired. */
  const reasonsFor = (organizationId: string, fired: ReadonlySet<string>): ReadonlyMap<string, string> => {
    if (fired.size === 0) return new Map();
    const shipped = ruleBook.shipped().filter(({ id }) => fired.has(id));
    const own = shipped.length === fired.size ? [] : ownRules(store, organizationId);
    return new Map([...shipped, ...own].map(({ id = '', why = '' }) => [id, why]));
  };

  return async (principal, request) => {
    const askedUs = clock.nowUs();
    const { profile, version } = profileFor(principal, request);
    const overlay = await overlays.of(principal.organizationId, askedUs);
    const { messages, abandoned } = request;
    const { verdict, scanUs, scannedFrom } = await inspector.inspect(messages, profile, { abandoned, overlay });
    const all = await inspector.inspect(messages, withoutThresholds(profile), { abandoned, overlay });
    const queueUs = Math.max(0, Math.round(clock.nowUs() - askedUs - scanUs - all.scanUs));

    const scores = policyCodes.flatMap((policy, index): readonly PolicyScore[] => {
      const setting = profile.settings[index];
      return setting.mode === 'off' ? [] : [{ policy, score: verdict.scores[policy] ?? 0, ...setting }];
    });
    const reported = new Set(verdict.findings.map(placeOf));
    const hints = all.verdict.findings.filter((finding) => !reported.has(placeOf(finding)));
    const fired = new Set([...verdict.findings, ...hints].flatMap(({ ruleIds }) => ruleIds));
    const reasons = reasonsFor(principal.organizationId, fired);
    const rules = (overlay ?? program).rules
      .filter(({ id }) => fired.has(id))
      .map(({ id, score, severity, title }) => ({ id, score, severity, title, why: reasons.get(id) ?? '' }));
    const explained = (finding: Finding): ExplainedMatch => ({
      ...finding,
      rules: rules
        .filter(({ id }) => finding.ruleIds.includes(id))
        .map((rule) => (learned.has(rule.id) ? { ...rule, score: finding.score ?? rule.score } : rule)),
    });
    return {
      profileId: profile.id,
      flagged: verdict.flagged,
      policies: verdict.policies,
      scores,
      matches: verdict.findings.map(explained),
      hints: hints.map(explained),
      truncated: all.verdict.truncated,
      scannedFrom,
      timing: { queueUs, scanUs },
      policyVersion: overlay === undefined ? version : overlaidVersion(version, overlay.parts.id),
    };
  };
}

/** Scores have four digits, so nothing that was found stays below this. */
const lowestThreshold = 0.000_1;

/** The same profile, by which every policy that has any score has findings. */
function withoutThresholds(profile: Profile): Profile {
  return { ...profile, settings: profile.settings.map(({ mode }) => ({ mode, threshold: lowestThreshold })) };
}

/** What no two findings of a scan share. */
function placeOf({ messageId, start, end, policy }: Finding): string {
  return [messageId, start, end, policy].join(' ');
}

function ownRules(store: Pick<Store, 'customRules'>, organizationId: string) {
  try {
    return store.customRules.get(organizationId)?.rules ?? [];
  } catch (error) {
    // The verdict does not need them.
    if (error instanceof StoreError) return [];
    throw error;
  }
}
