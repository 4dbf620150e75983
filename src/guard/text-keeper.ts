import type { Finding } from '../domain/finding.js';
import { limits } from '../domain/limits.js';
import type { Message } from '../domain/message.js';
import type { TextForm } from '../domain/profile.js';
import { knownRoleOf } from '../domain/role.js';
import type { StoredMessage, StoredText } from '../domain/scan-record.js';
import type { Span } from '../domain/span.js';
import type { Overlay } from '../engine/overlay.js';
import type { Scanner } from '../engine/scanner.js';
import { createSensitiveMatcher, sensitiveSpans } from './sensitive-spans.js';

/**
 * What is kept of a scan's text beside its record, as its profile says: nothing, or the first `limits.storedTextUnitsMax`
 * units of its messages. In redacted text every unit of what is found by the rules of LLM02 (sensitive information) is a
 * full block: by all of them, in the text and its views, whatever profile, role and score, those of the organization included, and by the verdict; all of a message where a rule matches more than `limits.matchesPerRuleMax` times. So the spans
 * of a record hold in its text. Roles that are no known ones are `user` in it. Of messages before `scannedFrom`, in which nothing was looked for, there is the
 * role alone. Costs one more scan of what is kept.
 */
export type KeepText = (
  form: TextForm,
  messages: readonly Message[],
  findings: readonly Finding[],
  overlay: Overlay | undefined,
  scannedFrom?: number,
) => StoredText | undefined;

export function createTextKeeper(scanner: Scanner): KeepText {
  const match = createSensitiveMatcher(scanner);

  const redact = (content: string, end: number, known: readonly Span[], overlay: Overlay | undefined): string => {
    // A secret may begin in what is kept and end behind it.
    const read = content.slice(0, end + limits.previewReadUnitsMax);
    let redacted = '';
    let at = 0;
    for (const span of sensitiveSpans(read, match(read), overlay, known)) {
      const [from, to] = [Math.min(span.start, end), Math.min(span.end, end)];
      redacted += content.slice(at, from) + block.repeat(to - from);
      at = to;
    }
    return redacted + content.slice(at, end);
  };

  return (form, messages, findings, overlay, scannedFrom = 0) => {
    if (form === 'none') return undefined;
    const kept: StoredMessage[] = [];
    let room: number = limits.storedTextUnitsMax;
    for (const [messageId, { role: sent, content }] of messages.entries()) {
      const role = form === 'full' ? sent : knownRoleOf(sent);
      room -= role.length;
      if (room < 0) break;
      if (messageId < scannedFrom) {
        kept.push({ role, content: '', cut: content !== '' });
        continue;
      }
      const end = wholeCharacters(content, Math.min(content.length, room));
      room -= end;
      const known = findings.filter((finding) => finding.messageId === messageId && finding.policy === 'LLM02');
      const text = form === 'full' ? content.slice(0, end) : redact(content, end, known, overlay);
      kept.push({ role, content: text, cut: end < content.length });
    }
    return { form, messages: kept };
  };
}

/** One unit, so that offsets stay what they are. */
const block = '\u2588';

/** The length, or one less where it would halve a pair of surrogates. */
function wholeCharacters(text: string, length: number): number {
  if (length === 0 || length === text.length) return length;
  const last = text.charCodeAt(length - 1);
  return last >= 0xd800 && last < 0xdc00 ? length - 1 : length;
}
