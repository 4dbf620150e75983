import type { AuditAct, AuditEntry } from '../domain/audit.js';
import type { CustomRulesRevision, StoredCustomRules } from '../domain/custom-rules.js';
import { wrongCursor } from '../domain/errors.js';
import type { Application, Organization, Session, TokenRecord, User } from '../domain/identity.js';
import type { PolicyCode } from '../domain/policy.js';
import type { ProfileDraft, StoredProfile } from '../domain/profile.js';
import type { ScanRecord, StoredText } from '../domain/scan-record.js';
import type { Rollup } from './rollup.js';

/**
 * What must survive a restart. Two implementations, one test suite: `lmdb/` (the embedded default) and
 * `memory/` (reference and test double).
 *
 * Guarantees: reads see every change whose promise has resolved, also changes made by another process on the
 * same folder, at the latest in the next turn of the event loop. A promise that resolves means committed: a
 * killed process does not lose it. Any method may throw or reject with `StoreError` when the store fails;
 * nothing here ever ends the process. Returned values are owned by the caller and never change.
 */
export interface Store {
  readonly organizations: Table<Organization>;
  readonly users: UserTable;
  readonly applications: Table<Application>;
  readonly tokens: TokenTable;
  readonly customRules: CustomRulesTable;
  readonly profiles: ProfileTable;
  readonly sessions: SessionTable;
  readonly audit: AuditLog;
  readonly scans: ScanLog;
  /**
   * Runs an act that looks before it writes as one transaction. What it reads of this store is what is stored now, whichever process wrote
   * it, with what the act itself wrote; nobody writes meanwhile. All of it is stored or, where it throws a `GuardError` or
   * `StoreError`, which the promise then rejects with, nothing. Nothing in it may wait; it holds up everybody who writes.
   */
  change<T>(act: (write: Writes) => T): Promise<T>;
  /**
   * Another number after every change of anything but scans, sessions' and tokens' times of last use, and the audit log alone:
   * who remembers what was read asks this before using it again. A change by this process counts before its promise
   * resolves, on every thread; one by another process in the next turn of the event loop. Asks the disk once a turn, some
   * 2 µs, and memory otherwise, some 20 ns. Throws `StoreError`.
   */
  version(): number;
  /** Whether reads and writes work now; `reason` says in one sentence what does not. Cheap; no I/O. */
  health(): StoreHealth;
  /** Waits for pending writes, then closes. Idempotent. */
  close(): Promise<void>;
}

export type StoreHealth = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** The store could not do what was asked: disk full, folder gone, file damaged. Never carries stored values. */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
  }
}

/** What an act of `Store.change` can write. */
export interface Writes {
  readonly organizations: RowWrites<Organization>;
  readonly users: RowWrites<User>;
  readonly applications: RowWrites<Application>;
  readonly tokens: RowWrites<TokenRecord>;
  readonly customRules: CustomRulesWrites;
  readonly profiles: ProfileWrites;
  readonly sessions: SessionWrites;
  /** Adds to the audit log. */
  audit(act: AuditAct): void;
}

export interface RowWrites<T extends { readonly id: string }> {
  /** Inserts or replaces the row with this id. Throws `StoreError` where another row has its unique key. */
  put(row: T): void;
  /** False where there is none. */
  remove(id: string): boolean;
}

export interface SessionWrites {
  put(session: Session): void;
  /** Removes those that are there. */
  remove(ids: readonly string[]): void;
}

export interface CustomRulesWrites {
  /** Inserts or replaces the rules of their organization; the store counts the revision. */
  put(rules: Omit<StoredCustomRules, 'revision'>): CustomRulesRevision;
  /** `by` tells when and by whom, for the history. False without rules. */
  remove(organizationId: string, by: Pick<StoredCustomRules, 'updatedAt' | 'updatedBy'>): boolean;
}

export interface ProfileWrites {
  /** Saves the profile as the next version of its id. */
  put(draft: ProfileDraft): StoredProfile;
  /** Removes the profile and its history; false where there is none. */
  remove(organizationId: string, id: string): boolean;
}

/** What can be read; `Store.change` writes. */
export interface Table<T extends { readonly id: string }> {
  get(id: string): T | undefined;
  /** All rows, or those of one organization, by creation time. */
  list(organizationId?: string): readonly T[];
}

interface UserTable extends Table<User> {
  /** Compared in lower case. */
  findByEmail(email: string): User | undefined;
}

interface TokenTable extends Table<TokenRecord> {
  findByHash(hash: string): TokenRecord | undefined;
  /** Sets `lastUsedAt` if the token still exists; never brings back a removed or revoked one. */
  touch(id: string, lastUsedAt: number): Promise<void>;
}

export interface SessionTable {
  get(id: string): Session | undefined;
  /** By creation time. */
  ofUser(userId: string): readonly Session[];
  save(session: Session, act?: AuditAct): Promise<void>;
  /** Sets `lastUsedAt` if the session still exists. */
  touch(id: string, lastUsedAt: number): Promise<void>;
  /** Removes those that are there, in one transaction; `act` is written in any case. */
  remove(ids: readonly string[], act?: AuditAct): Promise<void>;
  /** Removes what expired by `now` or was last used before `usedBefore`, at most `limits.sessionsPurgedMax`; gives their number. */
  purge(now: number, usedBefore: number): Promise<number>;
}

/** Administrative acts. They can be added and read, and nothing else. */
export interface AuditLog {
  /** For an act without a row of its own; others are saved with their row. */
  append(act: AuditAct): Promise<void>;
  /** Newest first. Throws `CursorError`. */
  find(query: AuditQuery): AuditPage;
}

export interface AuditQuery {
  readonly organizationId: string;
  readonly action?: string;
  /** Id or e-mail of the user who did it, in lower case. */
  readonly actor?: string;
  /** Milliseconds since epoch, inclusive; `to` is exclusive. */
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
  /** `next` of an earlier page. */
  readonly cursor?: string;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Present when there may be more entries after this page. */
  readonly next?: string;
}

/** The rules of organizations: at most one set for each. */
export interface CustomRulesTable {
  /** Another number after every change of any organization's rules: cheap to ask whether anything is new. */
  generation(): number;
  /** Version of the organization's rules without reading them; undefined where it has none. */
  version(organizationId: string): string | undefined;
  get(organizationId: string): StoredCustomRules | undefined;
  /**
   * States that the organization's rules were in, newest first, that of today included: at most `most` of those within
   * `limits.historyMax` and `limits.historyBytesMax`.
   */
  history(organizationId: string, most?: number): readonly CustomRulesRevision[];
}

/** Profiles of organizations, beside those that are shipped. */
export interface ProfileTable {
  /** Another number after every change of any organization's profiles: cheap to ask whether anything is new. */
  generation(): number;
  get(organizationId: string, id: string): StoredProfile | undefined;
  /** By id. */
  list(organizationId: string): readonly StoredProfile[];
  /** Its versions, newest first, today's included: those within `limits.historyMax` and `limits.historyBytesMax`. */
  history(organizationId: string, id: string): readonly StoredProfile[];
}

export interface ScanLog {
  /**
   * Appends a record. Ids must not repeat. Bounded by `limits.recordQueueMax` pending appends: beyond it the
   * promise rejects with `StoreError` at once and nothing is queued. `text` is kept beside the record, in the same
   * transaction, and goes when the record goes; where more than `limits.storedTextQueueBytesMax` of it wait, the record is
   * stored without, and the answer is false.
   */
  append(record: ScanRecord, text?: StoredText): Promise<boolean>;
  /** The text that is kept beside a record of this organization. */
  text(organizationId: string, scanId: string): StoredText | undefined;
  /** Newest first, that is by descending id. Every filter that is present must hold. Throws `CursorError`. */
  find(query: ScanQuery): ScanPage;
  /**
   * Counts of a scope (the organization, one project, or one application), of the hours that begin in the range and have
   * any, oldest first. Every record that was appended is counted in each scope that it is in, with its index; an
   * organization's counts name the `limits.rollupProjectsMax` projects and `limits.rollupApplicationsMax` applications of
   * the hour that have the most scans.
   * A read for each hour of the range: 10 to 30 µs where the hour has counts.
   */
  rollups(query: RollupQuery): readonly Rollup[];
  /** Removes records older than `before` (ms since epoch), all indexes included, and the counts of hours that were over by then; gives the number of records. Works in batches so that others get their turn, and begins no other one once `signal` is aborted. */
  purge(before: number, signal?: AbortSignal): Promise<number>;
}

export interface RollupQuery {
  readonly organizationId: string;
  /** Not both. */
  readonly projectId?: string;
  readonly appUuid?: string;
  /** Milliseconds since epoch, inclusive. */
  readonly from: number;
  /** Milliseconds since epoch, exclusive. */
  readonly to: number;
}

export interface ScanQuery {
  readonly organizationId: string;
  readonly projectId?: string;
  readonly scanId?: string;
  readonly flagged?: boolean;
  readonly appUuid?: string;
  /** Only scans with matches of this policy. */
  readonly detector?: PolicyCode;
  /** Milliseconds since epoch, inclusive. */
  readonly from?: number;
  /** Milliseconds since epoch, exclusive. */
  readonly to?: number;
  /** At most this many records. */
  readonly limit: number;
  /** Records to pass over first; ignored when `cursor` is given. */
  readonly offset?: number;
  /** `next` of an earlier page of the same filters: goes on right after it, at a cost independent of depth. */
  readonly cursor?: string;
}

export interface ScanPage {
  readonly records: readonly ScanRecord[];
  /**
   * True number of records that pass the filters, over all pages. Where counting means a walk (any filter but project,
   * scan and `flagged`) and the walk ends at `limits.resultsWalkMax`, the number among the newest that many records.
   */
  readonly total: number;
  /** Opaque; present when there are more records after this page, or may be where a walk ended at its limit. */
  readonly next?: string;
}

/** Thrown by `find` for a cursor that no page of the same list gave. */
export class CursorError extends Error {
  constructor() {
    super(`The cursor ${wrongCursor}.`);
    this.name = 'CursorError';
  }
}
