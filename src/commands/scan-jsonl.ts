import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { countColons, tooDeep } from '../api/json-body.js';
import { inexactId, losesDigits } from '../domain/exact-number.js';
import type { Verdict } from '../domain/finding.js';
import { limits } from '../domain/limits.js';
import type { Message } from '../domain/message.js';
import { firstScanned } from '../domain/scan-scope.js';
import type { Profile } from '../engine/judge/profile.js';
import type { CompiledRules } from '../rules/load.js';
import { judgeInOrder } from './bulk.js';
import { decodeLine, isBlank, openInput, readLines } from './lines.js';
import { type Progress, startProgress } from './progress.js';
import { note } from './terminal.js';

const Role = Type.String({ minLength: 1, maxLength: limits.roleLengthMax });
const Content = Type.String();
const lineSchema = Compile(
  Type.Union([
    Type.Object({ text: Content, role: Type.Optional(Role) }),
    Type.Object({
      messages: Type.Array(Type.Object({ role: Role, content: Content }), {
        minItems: 1,
        maxItems: limits.messagesMax,
      }),
    }),
  ]),
);

/** A line to scan, with `messages`, or one in error. */
interface Entry {
  readonly id?: unknown;
  readonly line: number;
  readonly messages?: readonly Message[];
  readonly error?: string;
}

/**
 * `merlon scan --jsonl`: judges one JSON object a line on all cores and writes one line for each, in input order.
 * Memory stays flat on input of any size. Exit code 0, or 1 where a line was in error.
 */
export async function scanJsonl(path: string, rules: CompiledRules, profile: Profile): Promise<number> {
  const { stream, size } = openInput(path, 'FILE');
  const progress = startProgress('scanning', size);
  const tally = { lines: 0, flagged: 0, errors: 0 };
  try {
    await judgeInOrder(rules.program, profile, readEntries(stream, progress), async (judged) => {
      const lines = judged.map(({ entry, verdict }) => {
        tally.lines++;
        if (entry.messages && verdict) {
          if (verdict.flagged) tally.flagged++;
          const scannedFrom = firstScanned(profile.scanScope, entry.messages);
          return JSON.stringify(verdictLine(entry.id, verdict, entry.messages, scannedFrom));
        }
        tally.errors++;
        const { id, line, error } = entry;
        return JSON.stringify(id === undefined ? { line, error } : { id, line, error });
      });
      if (!process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain');
    });
  } finally {
    progress.stop();
  }
  note(`${tally.lines} lines: ${tally.flagged} flagged, ${tally.errors} in error`);
  return tally.errors > 0 ? 1 : 0;
}

async function* readEntries(stream: Readable, progress: Progress): AsyncGenerator<Entry> {
  for await (const line of readLines(stream)) {
    if (line.bytes && isBlank(line.bytes)) continue;
    yield parseLine(line.bytes, line.number);
    progress.advance(line.position);
  }
}

/** The line written for one scan; spans in UTF-16 units. What was not scanned is told where there is any. */
export function verdictLine(id: unknown, verdict: Verdict, messages: readonly Message[], scannedFrom = 0) {
  return {
    id: id ?? null,
    flagged: verdict.flagged,
    policies: verdict.policies,
    score: verdict.scores,
    matches: verdict.findings.map(({ start, end, messageId, policy, labels, ruleIds, severity, via }) => ({
      start,
      end,
      text: messages[messageId].content.slice(start, end),
      detector_type: policy,
      labels,
      message_id: messageId,
      rule_ids: ruleIds,
      severity,
      ...(via === undefined ? {} : { via }),
    })),
    ...(scannedFrom === 0 ? {} : { scanned_from: scannedFrom }),
    ...(verdict.truncated ? { truncated: true } : {}),
  };
}

function parseLine(bytes: Buffer | undefined, line: number): Entry {
  const text = decodeLine(bytes);
  if (typeof text !== 'string') return { line, ...text };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { line, error: 'not valid JSON' };
  }
  if (countColons(text, limits.jsonDepthMax) === tooDeep) {
    return { line, error: `nested deeper than ${limits.jsonDepthMax} levels` };
  }
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  if (losesDigits(id)) return { line, error: inexactId };
  // Which of the two would be scanned is for nobody to guess.
  const hasBoth = typeof value === 'object' && value !== null && 'text' in value && 'messages' in value;
  if (!hasBoth && lineSchema.Check(value)) {
    const messages = 'messages' in value ? value.messages : [{ role: value.role ?? 'user', content: value.text }];
    return { line, id, messages };
  }
  return { line, ...(id === undefined ? {} : { id }), error: describe(value) };
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object';
  if (!('text' in value) && !('messages' in value)) return '"text" or "messages" is missing';
  if ('text' in value && 'messages' in value) return '"text" and "messages" exclude each other';
  if ('text' in value && typeof value.text !== 'string') return '"text" must be a string';
  if ('messages' in value) {
    const long = Array.isArray(value.messages) ? value.messages.findIndex(hasLongRole) : -1;
    if (long >= 0) return `"messages.${long}.role" ${tooLong}`;
    return `"messages" must be 1 to ${limits.messagesMax} objects { role, content } of strings`;
  }
  return hasLongRole(value) ? `"role" ${tooLong}` : '"role" must be a non-empty string';
}

const roleSchema = Compile(Role);
const tooLong = `must not have more than ${limits.roleLengthMax} characters`;

function hasLongRole(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('role' in value)) return false;
  return typeof value.role === 'string' && value.role !== '' && !roleSchema.Check(value.role);
}
