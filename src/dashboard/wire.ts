/** Bodies of the interface as this page reads them: no more fields than it uses. The authority is the OpenAPI document. */

export type PolicyCode = `LLM${'01' | '02' | '03' | '04' | '05' | '06' | '07' | '08' | '09' | '10'}`;
export type PolicyMode = 'enforce' | 'monitor' | 'off';
export type Severity = 'low' | 'medium' | 'high' | 'critical';
export type Role = 'admin' | 'member' | 'viewer';
export type Scope = 'guard:scan' | 'results:read' | 'policies:read' | 'admin';
export type StoreText = 'none' | 'redacted' | 'full';
export type ScanScope = 'all' | 'latest_turn';

/** A list that is read page by page. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly next_cursor: string | null; readonly total?: number };
}

/** A list that is short enough for one answer. */
export interface List<Item> {
  readonly data: readonly Item[];
}

export interface Session {
  readonly user: { readonly id: string; readonly email: string; readonly role: Role; readonly profile_id: string };
  readonly organization: { readonly id: string; readonly name: string };
  readonly csrf_token: string;
  readonly expires_at: string;
  readonly scopes: readonly Scope[];
  readonly version: string;
}

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly kind: 'pat' | 'service';
  readonly scopes: readonly Scope[];
  readonly user_id: string;
  /** Null where the user was removed. */
  readonly user_email: string | null;
  readonly app_uuid: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

/** A token as it is answered once, when it is made. */
export interface NewToken extends Token {
  readonly token: string;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly service: boolean;
  readonly profile_id: string;
  readonly created_at: string;
}

export interface Application {
  readonly id: string;
  readonly name: string;
  readonly profile_id: string;
  readonly active: boolean;
  readonly created_at: string;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: {
    readonly user_id: string | null;
    readonly email: string | null;
    readonly via: string;
    readonly token_id: string | null;
  };
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string; readonly name: string };
  readonly changes: unknown;
  readonly request_id: string | null;
}

export interface PolicySetting {
  readonly mode: PolicyMode;
  readonly threshold: number;
}

export type PolicySettings = Partial<Readonly<Record<PolicyCode, PolicySetting>>>;

export interface Profile {
  readonly id: string;
  readonly title: string;
  readonly origin: 'shipped' | 'organization';
  readonly policies: PolicySettings;
  readonly store_text: StoreText;
  readonly scan_scope: ScanScope;
  /** Null for a shipped one. */
  readonly version: number | null;
  readonly updated_at: string | null;
  readonly updated_by_email: string | null;
  readonly used_by: { readonly applications: number; readonly users: number };
}

interface Match {
  readonly start: number;
  readonly end: number;
  readonly detector_type: PolicyCode;
  readonly labels: readonly string[];
  readonly message_id: number;
}

export interface StoredMatch extends Match {
  readonly rule_ids: readonly string[];
  readonly severity: Severity;
}

export interface ScanRecord {
  readonly id: string;
  readonly created_at: string;
  readonly flagged: boolean;
  readonly summary: { readonly matches: number; readonly detectors: readonly PolicyCode[] };
  readonly project_id: string | null;
  readonly app_uuid: string | null;
  readonly source: 'rest' | 'mcp';
}

/** What a scan that is asked for by its id has beside that. */
export interface ScanDetail extends ScanRecord {
  readonly messages: {
    readonly count: number;
    readonly lengths: readonly number[];
    /** Index of the first one that was scanned. */
    readonly scanned_from: number;
    /** Where it was kept; `cut` where only its beginning was. */
    readonly text?: readonly (Message & { readonly cut: boolean })[];
  };
  readonly matches: readonly StoredMatch[];
  /** Absent where no text was kept. */
  readonly stored_text?: 'redacted' | 'full';
  readonly request_id: string;
  readonly policy_version: string;
  readonly duration_us: number;
}

export interface ExplainedMatch extends Match {
  readonly rules: readonly {
    readonly id: string;
    readonly score: number;
    readonly severity: Severity;
    readonly title: string;
    readonly why: string;
  }[];
  /** The readings of the text that it was found through, outermost first; empty where it stands there as it is. */
  readonly via: readonly string[];
}

export interface PolicyScore extends PolicySetting {
  readonly score: number;
}

export interface Explanation {
  readonly flagged: boolean;
  readonly policies: readonly PolicyCode[];
  readonly scores: Partial<Readonly<Record<PolicyCode, PolicyScore>>>;
  readonly matches: readonly ExplainedMatch[];
  /** What was found besides, and is not reported. */
  readonly hints: readonly ExplainedMatch[];
  readonly truncated: boolean;
  /** Index of the first message that was scanned. */
  readonly scanned_from: number;
  readonly timing: { readonly scan_us: number };
  readonly policy_version: string;
}

export interface Message {
  readonly role: string;
  readonly content: string;
}

export interface Overview {
  readonly from: string;
  readonly to: string;
  readonly step: 'hour' | 'day';
  readonly buckets: readonly {
    readonly start: string;
    readonly scans: number;
    readonly flagged: number;
    readonly policies: Partial<Readonly<Record<PolicyCode, number>>>;
  }[];
  readonly totals: {
    readonly scans: number;
    readonly flagged: number;
    readonly policies: Partial<Readonly<Record<PolicyCode, number>>>;
  };
  readonly projects: readonly Share[];
  readonly applications: readonly Share[];
  readonly rules: readonly { readonly id: string; readonly hits: number }[];
  /** All that the lists above do not name. */
  readonly other: {
    readonly projects: Omit<Share, 'id'>;
    readonly applications: Omit<Share, 'id'>;
    readonly rules: { readonly hits: number };
  };
  readonly latency_us: { readonly p50: number; readonly p95: number; readonly p99: number } | null;
  readonly load: {
    readonly queue_depth: number;
    readonly pool_threads: number;
    readonly in_flight: number;
    readonly busy: number;
  };
}

/** What a project or an application had of the scans. */
export interface Share {
  readonly id: string;
  readonly scans: number;
  readonly flagged: number;
}

export interface Rule {
  readonly id: string;
  readonly origin: 'shipped' | 'organization';
  readonly policy: PolicyCode;
  readonly label: string;
  readonly title: string;
  readonly severity: Severity;
  readonly score: number;
  readonly why: string;
  readonly misses: string | null;
  readonly references: readonly string[];
  readonly roles: readonly string[];
  readonly views: readonly string[];
  readonly examples: {
    readonly match: readonly string[];
    readonly clean: readonly string[];
    readonly near: readonly string[];
  };
  readonly hits_30d: number;
}

/**
 * One of an organization's own rules; what this page does not know is kept as it came. What a form has emptied is undefined,
 * which JSON leaves out: the other keys keep their order, so that what is put back is seen to be unchanged.
 */
export interface CustomRule {
  readonly id?: string;
  readonly policy: PolicyCode;
  readonly label?: string | undefined;
  readonly title?: string | undefined;
  readonly severity?: Severity;
  readonly score?: number | undefined;
  readonly patterns: readonly CustomPattern[];
  readonly why?: string | undefined;
  readonly examples?: {
    readonly match?: readonly string[];
    readonly clean?: readonly string[];
    readonly near?: readonly string[];
  };
}

/** A phrase or a regex. */
export interface CustomPattern {
  readonly phrase?: string;
  readonly regex?: string;
  readonly ignore_case?: boolean;
}

export interface AllowedPhrase {
  readonly phrase: string;
  readonly policies?: readonly PolicyCode[] | undefined;
  readonly rules?: readonly string[] | undefined;
  readonly why?: string | undefined;
  readonly owner?: string | undefined;
  readonly expires_at?: string | undefined;
}

export interface RuleSet {
  readonly rules: readonly CustomRule[];
  readonly allow: readonly AllowedPhrase[];
}

export interface StoredRules extends RuleSet {
  readonly version: string | null;
  readonly updated_at: string | null;
  readonly diagnostics?: readonly Diagnostic[];
}

export interface CheckedRules extends RuleSet {
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly patterns: number;
  readonly needles: number;
  readonly examples: number;
  readonly program_bytes: number;
}

export interface Diagnostic {
  readonly code: string;
  readonly pointer: string;
  readonly character: number;
  readonly message: string;
}

/** Who made a state, and when. */
export interface Change {
  readonly updated_at: string | null;
  readonly updated_by: string | null;
  readonly updated_by_email: string | null;
}

/** A past state of a profile. */
export interface ProfileVersion extends Change {
  readonly version: number;
  readonly title: string;
  readonly policies: PolicySettings;
  readonly store_text: StoreText;
  readonly scan_scope: ScanScope;
}

/** A past state of the own rules, in numbers. */
export interface RulesRevision extends Change {
  readonly revision: number;
  readonly rules: number;
  readonly allowed: number;
}

export interface Verdict {
  readonly flagged: boolean;
  readonly policies: readonly PolicyCode[];
  readonly scores: Partial<Readonly<Record<PolicyCode, number>>>;
  readonly matches: number;
}

export interface Preview {
  readonly compared: number;
  readonly changed_total: number;
  readonly flagged: { readonly before: number; readonly after: number };
  readonly recent?: {
    readonly asked: number;
    readonly replayed: number;
    readonly without_text: number;
    readonly over_limit: number;
    readonly redacted: number;
    readonly cut: number;
  };
  readonly changed: readonly {
    readonly index?: number;
    readonly scan_id?: string;
    readonly before: Verdict;
    readonly after: Verdict;
  }[];
}
