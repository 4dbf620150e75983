import type { Principal, Scope } from '../domain/identity.js';
import type { Message } from '../domain/message.js';
import type { PolicyCode, PolicyMode } from '../domain/policy.js';
import type { StoredText } from '../domain/scan-record.js';
import type { Severity } from '../domain/severity.js';
import type { PositionEncoding } from '../domain/span.js';
import type { ScanPage, ScanQuery } from '../store/store.js';
import type { Overview, OverviewQuery } from './overview.js';

/**
 * The use cases, free of any transport and any database. Every method takes the caller's principal and sees
 * only that caller's organization. Failures are `GuardError`s.
 */
export interface Guard {
  /**
   * Establishes who is calling. Throws `unauthorized` for a token that is malformed, unknown, expired or
   * revoked. Cost: a checksum, a SHA-256 and one store read, some 5 µs.
   */
  authenticate(token: string): Principal;
  /** Throws `forbidden_scope` (for a session `forbidden_role`) unless the principal has the scope (or `admin`). */
  authorize(principal: Principal, scope: Scope): void;
  /**
   * Scans messages under the profile of the named application, of the one that the token is bound to, or of the user.
   * A bound token that names another application is refused with `forbidden_app`. Answers at once for small
   * input; larger input goes to the pool. Throws or rejects with `unknown_app`, `forbidden_app`, and with
   * `overloaded`, `deadline`, `worker_lost`, `draining`, and with `rules_unavailable` where the organization has rules
   * of its own that are not open yet: never a verdict from an unfinished scan.
   */
  scan(principal: Principal, request: ScanRequest): ScanResult | Promise<ScanResult>;
  /**
   * Past scans of the caller's organization, those included that were answered before this was asked: a promise
   * where their records are still being written. Throws or rejects with `invalid_input` for a foreign cursor,
   * `store_unavailable` when the store cannot be read.
   */
  results(principal: Principal, query: Omit<ScanQuery, 'organizationId'>): ResultsPage | Promise<ResultsPage>;
  /**
   * What happened in the caller's organization, from counts whose reading does not depend on the number of scans. Waits and
   * fails as `results` does.
   */
  overview(principal: Principal, query: OverviewQuery): Overview | Promise<Overview>;
  /**
   * The enabled policies of the caller's default profile, or of the application that the token is bound to, in order of
   * code.
   */
  policies(principal: Principal): readonly EnabledPolicy[];
}

/** A page of past scans; of a scan that was asked for by its id also the text, where it is kept. */
export type ResultsPage = ScanPage & { readonly text?: StoredText };

export interface EnabledPolicy {
  readonly code: PolicyCode;
  readonly mode: PolicyMode;
}

export interface ScanRequest {
  readonly messages: readonly Message[];
  /** Lowercase UUID. */
  readonly appUuid?: string;
  readonly projectId?: string;
  readonly source: 'rest' | 'mcp';
  readonly requestId: string;
  /** When the request was received, in the clock's microseconds; for `timing.total`. */
  readonly receivedUs: number;
  readonly positionEncoding: PositionEncoding;
  /** Which optional parts of the result are wanted; what is not asked for is not computed. */
  readonly payload: boolean;
  readonly breakdown: boolean;
  readonly devInfo: boolean;
  /** Gives a signal that is aborted when the caller has left; asked for only where the scan has to wait. */
  readonly abandoned?: () => AbortSignal;
}

/** Transport-neutral result: REST and MCP each convert it to their wire shape. */
export interface ScanResult {
  readonly scanId: string;
  /** From admission to the verdict, in whole microseconds: no wait for the store. */
  readonly durationUs: number;
  readonly flagged: boolean;
  /** Set where the durability asks for a stored record and there is none, or none yet. */
  readonly unrecorded?: boolean;
  readonly payload?: readonly WireMatch[];
  readonly breakdown?: readonly BreakdownItem[];
  readonly devInfo?: DevInfo;
  readonly messages: MessageCounts;
  /** True where the scan has shown that there is nothing to redact in any message (`Redact`); else a look must tell. */
  readonly hasNoSecrets?: boolean;
  /** Number of findings and gravest severity of each policy with findings, in order of code. */
  readonly hits: readonly { readonly policy: PolicyCode; readonly count: number; readonly severity: Severity }[];
}

/** What happened to the messages of a scan; together they are all of them. */
interface MessageCounts {
  readonly scanned: number;
  /** Before the first one that the profile wants scanned. */
  readonly skipped: number;
  /** Not scanned again: scanned before under the same rules, and nothing was found. */
  readonly recalled: number;
}

export interface WireMatch {
  /** In the requested position encoding, half-open. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly policy: PolicyCode;
  readonly labels: readonly string[];
  readonly messageId: number;
}

export interface BreakdownItem {
  readonly appUuid: string | null;
  /** Id of the profile that was enforced. */
  readonly policyId: string;
  /** `<policy code>:<label>`. */
  readonly detectorId: string;
  readonly policy: PolicyCode;
  readonly detected: boolean;
  readonly messageId: number;
}

export interface DevInfo {
  readonly gitRevision: string;
  /** Unix seconds, as a string. */
  readonly gitTimestamp: string;
  readonly modelVersion: string;
  readonly version: string;
  readonly requestId: string;
  readonly scanId: string;
  readonly policyVersion: string;
  readonly timing: { readonly queueUs: number; readonly scanUs: number; readonly totalUs: number };
  /** Index of the first message that was scanned. */
  readonly scannedFrom: number;
  /** See `MessageCounts`. */
  readonly recalled: number;
  readonly rules: readonly {
    readonly id: string;
    readonly severity: Severity;
    readonly references: readonly string[];
  }[];
  /** Why a learned model found what it found, for each finding that stands in the text as sent; none without a model. */
  readonly learned: readonly {
    readonly policy: PolicyCode;
    readonly messageId: number;
    /** Above 0, below 1. */
    readonly score: number;
    /** What decided: words of the message, and how much they speak for an attack (above 0) or against it. */
    readonly parts: readonly { readonly text: string; readonly weight: number }[];
  }[];
}
