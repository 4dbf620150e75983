import type { Finding, Verdict } from '../../domain/finding.js';
import { limits } from '../../domain/limits.js';
import type { Message } from '../../domain/message.js';
import { type PolicyCode, policyCodes } from '../../domain/policy.js';
import { roleClassOf } from '../../domain/role.js';
import { firstScanned } from '../../domain/scan-scope.js';
import { type Severity, severities } from '../../domain/severity.js';
import type { Overlay } from '../overlay.js';
import { type ProgramRule, roleClasses, type Spared } from '../program.js';
import type { Scanner } from '../scanner.js';
import { kindsOf } from '../view/kinds.js';
import { type FoundMatch, type FoundMatches, matchViews } from '../view/match-views.js';
import { withoutQuoted } from './documentation.js';
import { weigh } from './evidence.js';
import { withoutCaptions } from './manual.js';
import { withoutParts } from './parts.js';
import type { Profile } from './profile.js';

/**
 * Scans messages under a profile, those that its scope leaves, and judges what was found. In each message the scores of a
 * policy's rules that hit near each other combine (`weigh`); a policy triggers where that reaches its threshold in some
 * message. Findings are what it was reached with: evidence that stands alone shows in `scores`.
 * An overlay's rules are judged together with the scanner's own. Pure; cost linear in the messages.
 */
export function scanMessages(
  scanner: Scanner,
  profile: Profile,
  messages: readonly Message[],
  overlay?: Overlay,
  match?: MessageMatcher,
): Verdict {
  let judgement: Judgement | undefined;
  const programRules = overlay?.rules ?? scanner.program.rules;
  for (let messageId = firstScanned(profile.scanScope, messages); messageId < messages.length; messageId++) {
    const { role, content } = messages[messageId];
    if (content === '') continue;
    const roleClass = roleClasses[roleClassOf(role)];
    const shipped = match
      ? match(content, roleClass, messageId)
      : matchViews(scanner, content, roleClass, profile.rules);
    const { list: found, truncated } = overlay ? overlay.join(shipped, profile, content, roleClass) : shipped;
    const list = found.length === 0 ? found : withoutSpared(content, found, programRules);
    if (list.length === 0 && !truncated) continue;
    judgement ??= new Judgement(programRules, profile);
    if (truncated) judgement.truncated = true;
    if (list.length > 0) judgement.addMessage(messageId, list);
  }
  return judgement?.verdict() ?? cleanVerdict;
}

function withoutSpared(
  text: string,
  found: readonly FoundMatch[],
  rules: readonly ProgramRule[],
): readonly FoundMatch[] {
  const sparing =
    (kind: Spared) =>
    ({ rule }: FoundMatch) =>
      rules[rule].spares.includes(kind);
  return withoutCaptions(text, withoutQuoted(text, found, sparing('documentation')), sparing('manuals'));
}

/** Finds what `matchViews` finds in a message. */
export type MessageMatcher = (text: string, role: number, messageId: number) => FoundMatches;

const cleanVerdict: Verdict = { flagged: false, policies: [], scores: {}, findings: [], truncated: false };

class Judgement {
  truncated = false;
  private readonly rules: readonly ProgramRule[];
  private readonly profile: Profile;
  private readonly scores = new Float64Array(policyCodes.length);
  private readonly triggered = new Set<number>();
  private readonly messages: { readonly messageId: number; readonly matches: readonly FoundMatch[] }[] = [];

  constructor(rules: readonly ProgramRule[], profile: Profile) {
    this.rules = rules;
    this.profile = profile;
  }

  addMessage(messageId: number, matches: readonly FoundMatch[]): void {
    const { settings } = this.profile;
    const byPolicy = new Map<number, FoundMatch[]>();
    for (const match of matches) {
      const policy = this.policyOf(match.rule);
      const known = byPolicy.get(policy);
      if (known) known.push(match);
      else byPolicy.set(policy, [match]);
    }
    const shown = [...byPolicy].flatMap(([policy, own]) => {
      const scoreOf = (rule: number) => this.rules[rule].score;
      const { score, convicting } = weigh(own, scoreOf, settings[policy].threshold);
      this.scores[policy] = Math.max(this.scores[policy], score);
      if (convicting.length > 0) this.triggered.add(policy);
      return policyCodes[policy] === 'LLM02' ? withoutParts(convicting, scoreOf) : convicting;
    });
    this.messages.push({ messageId, matches: shown });
  }

  verdict(): Verdict {
    const scores: Partial<Record<PolicyCode, number>> = {};
    policyCodes.forEach((code, policy) => {
      if (this.scores[policy] > 0) scores[code] = this.scores[policy];
    });
    const findings = this.findings();
    return {
      flagged: [...this.triggered].some((policy) => this.profile.settings[policy].mode === 'enforce'),
      policies: policyCodes.filter((_, policy) => this.triggered.has(policy)),
      scores,
      findings,
      truncated: this.truncated,
    };
  }

  private findings(): readonly Finding[] {
    const findings: Finding[] = [];
    for (const { messageId, matches } of this.messages) {
      for (const group of this.groups(matches)) {
        if (findings.length === limits.matchesPerScanMax) {
          this.truncated = true;
          return findings;
        }
        findings.push(this.finding(messageId, group));
      }
    }
    return findings;
  }

  /** Matches with the same span and policy, ordered by start, end, policy. */
  private groups(matches: readonly FoundMatch[]): readonly (readonly FoundMatch[])[] {
    const groups = new Map<string, FoundMatch[]>();
    for (const match of matches) {
      const key = `${match.start}:${match.end}:${this.policyOf(match.rule)}`;
      const group = groups.get(key);
      if (group) group.push(match);
      else groups.set(key, [match]);
    }
    return [...groups.values()].sort(
      ([a], [b]) => a.start - b.start || a.end - b.end || this.policyOf(a.rule) - this.policyOf(b.rule),
    );
  }

  private finding(messageId: number, group: readonly FoundMatch[]): Finding {
    const rules = group.map(({ rule }) => this.rules[rule]);
    const [{ start, end }] = group;
    const via = group.some((match) => match.via === undefined)
      ? 0
      : group.reduce((bits, match) => bits | (match.via ?? 0), 0);
    return {
      messageId,
      start,
      end,
      policy: rules[0].policy,
      labels: sortedOnce(rules.map((rule) => rule.label)),
      ruleIds: sortedOnce(rules.map((rule) => rule.id)),
      severity: gravest(rules.map((rule) => rule.severity)),
      ...(via === 0 ? {} : { via: kindsOf(via) }),
      ...learnedScore(group),
    };
  }

  private policyOf(rule: number): number {
    return policyCodes.indexOf(this.rules[rule].policy);
  }
}

/** The last of `severities` that is among the given ones. */
export function gravest(given: readonly Severity[]): Severity {
  return severities.reduce((worst, severity) => (given.includes(severity) ? severity : worst), 'low');
}

function learnedScore(group: readonly FoundMatch[]): Pick<Finding, 'score'> {
  const scores = group.flatMap(({ score }) => (score === undefined ? [] : [score]));
  return scores.length === 0 ? {} : { score: Math.max(...scores) };
}

function sortedOnce(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
