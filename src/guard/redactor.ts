import type { Recall } from '../engine/judge/recall.js';
import { allRoles } from '../engine/program.js';
import type { Scanner } from '../engine/scanner.js';
import type { Overlays } from './overlays.js';

/**
 * The first `end` UTF-16 units of a text with everything that the rules of LLM02 (sensitive information) match in the
 * whole text replaced by `[redacted]`: by every rule, whatever its score, the role and the profile, because what is
 * shown must be safe also where nothing was flagged. The rules of the named organization count as well; while they are
 * not open all of the text is `[redacted]`. Costs one scan of the text, or a look into the memory of clean ones.
 */
export type Redact = (text: string, end: number, organizationId?: string) => string;

/** `overlayOf` gives the rules of an organization: see `Overlays.peek`. */
export function createRedactor(
  scanner: Scanner,
  overlayOf?: (organizationId: string) => ReturnType<Overlays['peek']>,
  recall?: Recall,
): Redact {
  const { program } = scanner;
  const secrets = Uint8Array.from(program.rules, ({ policy }) => (policy === 'LLM02' ? 1 : 0));
  const find = (text: string) => scanner.match(text, allRoles, secrets);
  const matcherFor = (organizationId = '') =>
    recall?.over(`previews ${program.hash} ${organizationId}`, find).match ?? find;
  return (text, end, organizationId) => {
    const overlay = organizationId === undefined ? undefined : overlayOf?.(organizationId);
    if (overlay === 'closed') return mark;
    const { list } = matcherFor(organizationId)(text, allRoles, 0);
    const own = overlay?.matchPolicy(text, 'LLM02') ?? [];
    if (list.length + own.length === 0) return text.slice(0, end);
    let redacted = '';
    let at = 0;
    for (const match of [...list, ...own].sort((one, other) => one.start - other.start)) {
      if (match.start >= end) break;
      if (match.start >= at) redacted += `${text.slice(at, match.start)}${mark}`;
      at = Math.max(at, match.end);
    }
    return redacted + text.slice(at, end);
  };
}

const mark = '[redacted]';
