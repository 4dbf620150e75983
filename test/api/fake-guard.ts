import { GuardError } from '../../src/domain/errors.js';
import { type Principal, type Scope, scopes } from '../../src/domain/identity.js';
import type { Message } from '../../src/domain/message.js';
import type { ScanRecord } from '../../src/domain/scan-record.js';
import { offsetMapper } from '../../src/domain/span.js';
import type { EnabledPolicy, Guard, ScanRequest, ScanResult, WireMatch } from '../../src/guard/guard.js';
import { overviewOf } from '../../src/guard/overview.js';
import type { ScanPage, ScanQuery } from '../../src/store/store.js';

/**
 * A small, deterministic guard. `attack` in a content is a match; a content that begins with one of these words
 * steers the scan: `later` (answers in a later turn), `held` (answers when `release` is called), `explode` and
 * `explode-later` (throw an error that quotes the content), `overload` (throws `overloaded`).
 */
export interface FakeGuard extends Guard {
  /** Every scan that was let through to the guard. */
  readonly scans: ScanRequest[];
  readonly queries: Omit<ScanQuery, 'organizationId'>[];
  records: ScanRecord[];
  enabled: readonly EnabledPolicy[];
  /** Thrown by `results` when set. */
  failure: Error | undefined;
  /** Finishes the scans that are held; gives their number. */
  release(): number;
}

/** Tokens that the fake knows, and what they may do. `expired` is refused. */
const tokens: Readonly<Record<string, readonly Scope[]>> = {
  everything: scopes,
  scanner: ['guard:scan'],
  reader: ['results:read', 'policies:read'],
};

export const apps = {
  known: '6f2b0c1e-8f5d-4a57-9d1c-3b9f0a7e4d21',
  foreign: '00000000-0000-4000-8000-00000000000f',
} as const;

export const scanId = 'scan_01932f6e4b7a7c3e9a51d2f0c4b8e617';

export function createFakeGuard(): FakeGuard {
  const held: (() => void)[] = [];
  const guard: FakeGuard = {
    scans: [],
    queries: [],
    records: [],
    enabled: [
      { code: 'LLM01', mode: 'enforce' },
      { code: 'LLM02', mode: 'monitor' },
    ],
    failure: undefined,
    release: () => held.splice(0).map((finish) => finish()).length,
    authenticate(token) {
      if (!(token in tokens)) throw new GuardError('unauthorized', 'The token is not valid.');
      return {
        via: 'token',
        credentialId: 't',
        userId: 'u',
        organizationId: 'o',
        role: 'admin',
        scopes: tokens[token],
        profileId: 'default',
      };
    },
    authorize(principal: Principal, scope: Scope) {
      if (principal.scopes.includes(scope) || principal.scopes.includes('admin')) return;
      throw new GuardError('forbidden_scope', `The token lacks the scope ${scope}.`);
    },
    scan(_principal, request) {
      if (request.appUuid === apps.foreign) {
        throw new GuardError('forbidden_app', 'You do not have access to this application.');
      }
      if (request.appUuid !== undefined && request.appUuid !== apps.known) {
        throw new GuardError('unknown_app', 'Unknown app_uuid.');
      }
      guard.scans.push(request);
      const { content } = request.messages[0];
      if (content.startsWith('explode-later')) return Promise.reject(new Error(content));
      if (content.startsWith('explode')) throw new TypeError(content);
      if (content.startsWith('overload')) throw new GuardError('overloaded', 'Too many scans are waiting.');
      const result = scanResult(request);
      if (content.startsWith('later')) return new Promise((resolve) => setImmediate(() => resolve(result)));
      if (content.startsWith('held')) return new Promise((resolve) => held.push(() => resolve(result)));
      return result;
    },
    results(_principal, query): ScanPage {
      if (guard.failure !== undefined) throw guard.failure;
      guard.queries.push(query);
      const matching = guard.records.filter((record) => query.scanId === undefined || record.id === query.scanId);
      const offset = query.cursor === undefined ? (query.offset ?? 0) : Number(query.cursor);
      const end = offset + query.limit;
      const next = end < matching.length ? { next: String(end) } : {};
      return { records: matching.slice(offset, end), total: matching.length, ...next };
    },
    overview: (_principal, query) => overviewOf([], query),
    policies: () => guard.enabled,
  };
  return guard;
}

/** A past scan with the given last digits in its id. */
export function scanRecord(digits: string): ScanRecord {
  return {
    id: `scan_${digits.padStart(32, '0')}`,
    organizationId: 'o',
    createdAt: Date.UTC(2026, 0, 31, 8),
    flagged: true,
    projectId: 'checkout-bot',
    appUuid: null,
    source: 'rest',
    requestId: 'request-1',
    policyVersion: 'abc',
    durationUs: 42,
    messageLengths: [10, 0],
    scannedFrom: 0,
    matchesTotal: 1,
    detectors: ['LLM01'],
    matches: [
      { messageId: 0, start: 4, end: 10, policy: 'LLM01', labels: ['Attack'], ruleIds: ['r1'], severity: 'high' },
    ],
  };
}

function scanResult(request: ScanRequest): ScanResult {
  const matches = request.messages.flatMap((message, index) => matchesIn(message, index, request.positionEncoding));
  const count = matches.length;
  return {
    scanId,
    durationUs: 12,
    flagged: count > 0,
    messages: { scanned: request.messages.length, recalled: 0, skipped: 0 },
    hits: count > 0 ? [{ policy: 'LLM01', count, severity: 'high' }] : [],
    ...(request.payload ? { payload: matches } : {}),
    ...(request.breakdown
      ? {
          breakdown: request.messages.map((_message, messageId) => ({
            appUuid: request.appUuid ?? null,
            policyId: 'default',
            detectorId: 'LLM01:attack',
            policy: 'LLM01' as const,
            detected: matches.some((match) => match.messageId === messageId),
            messageId,
          })),
        }
      : {}),
    ...(request.devInfo
      ? {
          devInfo: {
            gitRevision: 'abcdef0',
            gitTimestamp: '1767225600',
            modelVersion: '1',
            version: '0.1.0',
            requestId: request.requestId,
            scanId,
            policyVersion: 'abc',
            timing: { queueUs: 0, scanUs: 2, totalUs: 9 },
            scannedFrom: 0,
            recalled: 1,
            rules: [{ id: 'r1', severity: 'high' as const, references: ['https://example.org/r1'] }],
            learned: [{ policy: 'LLM01' as const, messageId: 0, score: 0.7, parts: [{ text: 'attack', weight: 1.5 }] }],
          },
        }
      : {}),
  };
}

function matchesIn(message: Message, messageId: number, encoding: ScanRequest['positionEncoding']): WireMatch[] {
  const toUnit = offsetMapper(message.content, encoding);
  return [...message.content.matchAll(/attack/g)].map(({ index, 0: text }) => ({
    start: toUnit(index),
    end: toUnit(index + text.length),
    text,
    policy: 'LLM01',
    labels: ['Attack'],
    messageId,
  }));
}
