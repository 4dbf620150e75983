import type { Finding } from '../domain/finding.js';
import type { Message } from '../domain/message.js';
import { offsetMapper, type PositionEncoding } from '../domain/span.js';
import type { WireMatch } from './guard.js';

/**
 * Findings as matches with their text, spans in the chosen unit. Order is kept. Cost: one pass over each message
 * that has findings, whatever their number.
 */
export function toPayload(
  findings: readonly Finding[],
  messages: readonly Message[],
  encoding: PositionEncoding,
): readonly WireMatch[] {
  const byMessage = groupByMessage(findings);
  const matches: WireMatch[] = [];
  for (const [messageId, group] of byMessage) {
    const { content } = messages[messageId];
    const mapped = mapOffsets(group, content, encoding);
    for (const { start, end, policy, labels } of group) {
      matches.push({
        start: mapped(start),
        end: mapped(end),
        text: content.slice(start, end),
        policy,
        labels,
        messageId,
      });
    }
  }
  return matches;
}

function groupByMessage(findings: readonly Finding[]): ReadonlyMap<number, readonly Finding[]> {
  const groups = new Map<number, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.messageId);
    if (group) group.push(finding);
    else groups.set(finding.messageId, [finding]);
  }
  return groups;
}

/** All offsets are mapped in ascending order first, because spans may nest and a step back would start over. */
function mapOffsets(
  findings: readonly Finding[],
  content: string,
  encoding: PositionEncoding,
): (offset: number) => number {
  if (encoding === 'utf-16') return (offset) => offset;
  const map = offsetMapper(content, encoding);
  const offsets = [...new Set(findings.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const table = new Map(offsets.map((offset) => [offset, map(offset)]));
  return (offset) => table.get(offset) as number;
}
