import { allRoles } from '../engine/program.js';
import type { Scanner } from '../engine/scanner.js';

/**
 * The first `end` UTF-16 units of a text with everything that the rules of LLM02 (sensitive information) match in the
 * whole text replaced by `[redacted]`: by every rule, whatever its score, the role and the profile, because what is
 * shown must be safe also where nothing was flagged. Pure; costs one scan of the text.
 */
export type Redact = (text: string, end: number) => string;

export function createRedactor(scanner: Scanner): Redact {
  const secrets = Uint8Array.from(scanner.program.rules, ({ policy }) => (policy === 'LLM02' ? 1 : 0));
  return (text, end) => {
    const { list } = scanner.match(text, allRoles, secrets);
    if (list.length === 0) return text.slice(0, end);
    let redacted = '';
    let at = 0;
    for (const match of [...list].sort((one, other) => one.start - other.start)) {
      if (match.start >= end) break;
      if (match.start >= at) redacted += `${text.slice(at, match.start)}[redacted]`;
      at = Math.max(at, match.end);
    }
    return redacted + text.slice(at, end);
  };
}
