import type { PolicyCode } from './policy.js';
import type { TextForm } from './profile.js';
import type { Severity } from './severity.js';

/** A past scan as the store keeps it: no prompt text, only where and why it matched. What text there is lies beside it. */
export interface ScanRecord {
  /** `scan_` + 32 hex digits of a UUIDv7, so that ids sort by time of creation. */
  readonly id: string;
  readonly organizationId: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  readonly flagged: boolean;
  readonly projectId: string | null;
  readonly appUuid: string | null;
  readonly source: 'rest' | 'mcp';
  readonly requestId: string;
  readonly policyVersion: string;
  readonly durationUs: number;
  /** Length of each message's content in UTF-16 units. */
  readonly messageLengths: readonly number[];
  /** Index of the first message that was scanned (`firstScanned`). */
  readonly scannedFrom: number;
  /** True number of matches; `matches` may hold fewer (`limits.recordMatchesMax`). */
  readonly matchesTotal: number;
  /** Policies that had matches, in order of code. */
  readonly detectors: readonly PolicyCode[];
  readonly matches: readonly StoredMatch[];
  /** The form of the text that is kept beside the record; absent where none is. Set by the store. */
  readonly storedText?: StoredText['form'];
}

/** Text of a scan, as its profile has it kept. A prompt: never for logs or errors. */
export interface StoredText {
  readonly form: Exclude<TextForm, 'none'>;
  /** The first messages of the scan, as many as there is room for; without the text of those that were not scanned. */
  readonly messages: readonly StoredMessage[];
}

export interface StoredMessage {
  readonly role: string;
  readonly content: string;
  /** True where only the beginning is kept. */
  readonly cut: boolean;
}

interface StoredMatch {
  readonly messageId: number;
  /** UTF-16 units, half-open. */
  readonly start: number;
  readonly end: number;
  readonly policy: PolicyCode;
  readonly labels: readonly string[];
  readonly ruleIds: readonly string[];
  readonly severity: Severity;
}
