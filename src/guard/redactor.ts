import type { Verdict } from '../domain/finding.js';
import type { Message } from '../domain/message.js';
import { roleClassOf } from '../domain/role.js';
import type { Profile } from '../engine/judge/profile.js';
import type { Recall } from '../engine/judge/recall.js';
import { allRoles, type Program, roleClasses } from '../engine/program.js';
import type { Scanner } from '../engine/scanner.js';
import type { Overlays } from './overlays.js';
import { createSensitiveMatcher, sensitiveSpans } from './sensitive-spans.js';

/**
 * The first `end` UTF-16 units of a text with everything that the rules of LLM02 (sensitive information) match in the
 * whole text and its views replaced by `[redacted]` (all of it where a rule matches more than `limits.matchesPerRuleMax` times): by every rule,
 * whatever its score, the role and the profile, because what is shown must be safe also where nothing was flagged. The rules of the named organization count as well; while they are
 * not open all of the text is `[redacted]`. Costs one scan of the text, or a look into the memory of clean ones.
 */
export type Redact = (text: string, end: number, organizationId?: string) => string;

/** `overlayOf` gives the rules of an organization: see `Overlays.peek`. */
export function createRedactor(
  scanner: Scanner,
  overlayOf?: (organizationId: string) => ReturnType<Overlays['peek']>,
  recall?: Recall,
): Redact {
  const find = createSensitiveMatcher(scanner);
  const matcherFor = (organizationId = '') =>
    recall?.over(`previews ${scanner.program.hash} ${organizationId}`, find).match ?? find;
  return (text, end, organizationId) => {
    const overlay = organizationId === undefined ? undefined : overlayOf?.(organizationId);
    if (overlay === 'closed') return mark;
    const found = matcherFor(organizationId)(text, allRoles, 0);
    let redacted = '';
    let at = 0;
    for (const span of sensitiveSpans(text, found, overlay)) {
      if (span.start >= end) break;
      redacted += `${text.slice(at, span.start)}${mark}`;
      at = span.end;
    }
    return redacted + text.slice(at, end);
  };
}

const mark = '[redacted]';

/** True where a scan under a profile asked all that a redactor without an organization asks, and no rule of LLM02 matched. */
export function hasNoSecrets(
  program: Program,
  profile: Profile,
  messages: readonly Message[],
  { scores, truncated }: Verdict,
): boolean {
  if (truncated || scores.LLM02 !== undefined) return false;
  const roles = askedRoles(program, profile);
  return messages.every(({ role }) => (roleClasses[roleClassOf(role)] & roles) !== 0);
}

/** Roles of messages, as bits, in which all rules of LLM02 are asked under a profile, and report all that they match. */
function askedRoles({ rules }: Program, profile: Profile): number {
  const known = rolesByProfile.get(profile);
  if (known !== undefined) return known;
  let roles = allRoles;
  rules.forEach(({ policy, spares, roles: ofRule }, index) => {
    if (policy === 'LLM02') roles &= profile.rules[index] === 1 && spares.length === 0 ? ofRule : 0;
  });
  rolesByProfile.set(profile, roles);
  return roles;
}

const rolesByProfile = new WeakMap<Profile, number>();
