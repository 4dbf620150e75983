import type { PolicyCode, PolicyMode } from './policy.js';
import type { ScanScope } from './scan-scope.js';

/** How a profile treats one policy. */
export interface PolicySetting {
  readonly mode: PolicyMode;
  /** The policy triggers in a message whose score reaches this; above 0, up to 1. */
  readonly threshold: number;
}

/** What a profile says of policies; one that is not named is off. */
export type PolicySettings = Readonly<Partial<Record<PolicyCode, PolicySetting>>>;

/** Which text of a scan is kept with its record: none, all but secrets, or all. */
export const textForms = ['none', 'redacted', 'full'] as const;
export type TextForm = (typeof textForms)[number];

/** A profile of an organization as somebody wrote it. */
export interface ProfileDraft {
  readonly organizationId: string;
  /** Unique in its organization: a lowercase letter, then letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  readonly policies: PolicySettings;
  readonly storeText: TextForm;
  readonly scanScope: ScanScope;
  /** Milliseconds since the Unix epoch. */
  readonly updatedAt: number;
  /** User who saved it over the API; absent where it was done on the command line. */
  readonly updatedBy?: string;
}

/** A profile of an organization as the store keeps it. */
export interface StoredProfile extends ProfileDraft {
  /** Grows with every change, and is never given twice to profiles of the same id. */
  readonly version: number;
}
