import { once } from 'node:events';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { readEngine } from '../config.js';
import type { Verdict } from '../domain/finding.js';
import { limits } from '../domain/limits.js';
import type { Message } from '../domain/message.js';
import type { Profile } from '../engine/judge/profile.js';
import { createPool, type Pool } from '../pool/pool.js';
import type { CompiledRules } from '../rules/load.js';
import { lineBytesMax, openInput, readLines } from './lines.js';
import { note, startProgress } from './terminal.js';

/** Scans sent to a worker together: enough to make the hop cheap, little enough to keep memory flat. */
const batchScansMax = 64;
const batchUnitsMax = 256 * 1024;
/** Batches under way for each worker: one running, one waiting. */
const batchesPerThread = 2;
/** Bulk work has no client waiting; a batch that takes longer than this is given up. */
const batchDeadlineMs = 120_000;

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

type Entry =
  | { readonly kind: 'scan'; readonly id: unknown; readonly messages: readonly Message[] }
  | { readonly kind: 'error'; readonly id?: unknown; readonly line: number; readonly error: string };

/**
 * `merlon scan --jsonl`: judges one JSON object a line on all cores and writes one line for each, in input order.
 * Memory stays flat on input of any size. Exit code 0, or 1 where a line was in error.
 */
export async function scanJsonl(path: string, rules: CompiledRules, profile: Profile): Promise<number> {
  const { stream, size } = openInput(path);
  const progress = startProgress('scanning', size ?? 0);
  const pool = createPool({
    program: rules.program.memory,
    profiles: [profile],
    engine: readEngine(),
    deadlineMs: batchDeadlineMs,
  });
  const underWay: Promise<readonly string[]>[] = [];
  const tally = { lines: 0, flagged: 0, errors: 0 };
  const writeOldest = async () => {
    const lines = await underWay.shift();
    if (lines && lines.length > 0 && !process.stdout.write(`${lines.join('\n')}\n`))
      await once(process.stdout, 'drain');
  };
  try {
    let batch: Entry[] = [];
    let units = 0;
    const send = async () => {
      if (underWay.length >= pool.threads * batchesPerThread) await writeOldest();
      const judged = judge(pool, profile, batch, tally);
      // Awaited in input order below; a failure must not count as unhandled while it waits for its turn.
      judged.catch(() => {});
      underWay.push(judged);
      batch = [];
      units = 0;
    };
    for await (const line of readLines(stream)) {
      if (line.bytes && isBlank(line.bytes)) continue;
      const entry = parseLine(line.bytes, line.number);
      batch.push(entry);
      if (entry.kind === 'scan') for (const { content } of entry.messages) units += content.length;
      if (batch.length >= batchScansMax || units >= batchUnitsMax) await send();
      progress.advance(line.position);
    }
    if (batch.length > 0) await send();
    while (underWay.length > 0) await writeOldest();
  } finally {
    progress.stop();
    await pool.close();
  }
  note(`${tally.lines} lines: ${tally.flagged} flagged, ${tally.errors} in error`);
  return tally.errors > 0 ? 1 : 0;
}

async function judge(
  pool: Pool,
  profile: Profile,
  batch: readonly Entry[],
  tally: { lines: number; flagged: number; errors: number },
): Promise<readonly string[]> {
  const scans = batch.flatMap((entry) => (entry.kind === 'scan' ? [entry.messages] : []));
  const { verdicts } = scans.length > 0 ? await pool.run({ profileId: profile.id, scans }) : { verdicts: [] };
  let next = 0;
  return batch.map((entry) => {
    tally.lines++;
    if (entry.kind === 'error') {
      tally.errors++;
      const { id, line, error } = entry;
      return JSON.stringify(id === undefined ? { line, error } : { id, line, error });
    }
    const verdict = verdicts[next++];
    if (verdict.flagged) tally.flagged++;
    return JSON.stringify(verdictLine(entry.id, verdict, entry.messages));
  });
}

/** The line written for one scan; spans in UTF-16 units. */
export function verdictLine(id: unknown, verdict: Verdict, messages: readonly Message[]) {
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
    ...(verdict.truncated ? { truncated: true } : {}),
  };
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length === 0 || (bytes.length < 16 && bytes.toString('latin1').trim() === '');
}

function parseLine(bytes: Buffer | undefined, line: number): Entry {
  if (!bytes) return { kind: 'error', line, error: `the line is longer than ${lineBytesMax} bytes` };
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'not valid JSON' : 'not valid UTF-8';
    return { kind: 'error', line, error: reason };
  }
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  if (lineSchema.Check(value)) {
    const messages = 'messages' in value ? value.messages : [{ role: value.role ?? 'user', content: value.text }];
    return { kind: 'scan', id, messages };
  }
  return { kind: 'error', ...(id === undefined ? {} : { id }), line, error: describe(value) };
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object';
  if (!('text' in value) && !('messages' in value)) return '"text" or "messages" is missing';
  if ('text' in value && typeof value.text !== 'string') return '"text" must be a string';
  if ('messages' in value) return `"messages" must be 1 to ${limits.messagesMax} objects { role, content } of strings`;
  return '"role" must be a non-empty string';
}
