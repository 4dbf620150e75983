import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { StoredCustomRules } from '../../src/domain/custom-rules.js';
import type { Application, Organization, TokenRecord, User } from '../../src/domain/identity.js';
import type { ProfileDraft } from '../../src/domain/profile.js';
import type { ScanRecord } from '../../src/domain/scan-record.js';

/** Some moment in 2023 that tests count from. */
export const epoch = 1_700_000_000_000;

export const orgA = '0a0a0a0a-0000-4000-8000-000000000001';
export const orgB = '0b0b0b0b-0000-4000-8000-000000000002';
export const appA = 'aaaaaaaa-0000-4000-8000-000000000003';
export const appB = 'bbbbbbbb-0000-4000-8000-000000000004';

/** The id of a UUIDv7 made at `ms`; a higher serial sorts behind a lower one of the same millisecond. */
export function scanId(ms: number, serial: number): string {
  return `scan_${ms.toString(16).padStart(12, '0')}7000${(2 ** 52 + serial).toString(16).padStart(16, '8')}`;
}

/** A record made `ms` after the epoch; the serial keeps ids of one millisecond apart. */
export function scanRecord(ms: number, serial: number, values: Partial<ScanRecord> = {}): ScanRecord {
  return {
    id: scanId(epoch + ms, serial),
    organizationId: orgA,
    createdAt: epoch + ms,
    flagged: false,
    projectId: null,
    appUuid: null,
    source: 'rest',
    requestId: randomUUID(),
    policyVersion: 'v1',
    durationUs: 12,
    messageLengths: [3, 5],
    scannedFrom: 0,
    matchesTotal: 0,
    detectors: [],
    matches: [],
    ...values,
  };
}

export function organization(values: Partial<Organization> = {}): Organization {
  return { id: randomUUID(), name: 'Example', createdAt: epoch, ...values };
}

export function user(values: Partial<User> = {}): User {
  const id = randomUUID();
  return {
    id,
    organizationId: orgA,
    email: `${id}@example.org`,
    role: 'member',
    service: false,
    profileId: 'default',
    createdAt: epoch,
    ...values,
  };
}

export function application(values: Partial<Application> = {}): Application {
  return {
    id: randomUUID(),
    organizationId: orgA,
    name: 'Shop',
    profileId: 'default',
    active: true,
    createdAt: epoch,
    ...values,
  };
}

export function tokenRecord(values: Partial<TokenRecord> = {}): TokenRecord {
  const id = randomUUID();
  return {
    id,
    hash: id.replaceAll('-', '').repeat(2),
    kind: 'pat',
    organizationId: orgA,
    userId: randomUUID(),
    name: 'laptop',
    prefix: 'mrl_pat_abcd',
    scopes: ['guard:scan'],
    createdAt: epoch,
    ...values,
  };
}

/** A profile of an organization that enforces one policy. */
export function profileDraft(values: Partial<ProfileDraft> = {}): ProfileDraft {
  return {
    organizationId: orgA,
    id: 'own',
    title: 'Own',
    policies: { LLM01: { mode: 'enforce', threshold: 0.5 } },
    storeText: 'none',
    scanScope: 'all',
    updatedAt: epoch,
    ...values,
  };
}

/** Rules of an organization: one phrase. */
export function storedRules(values: Partial<StoredCustomRules> = {}): StoredCustomRules {
  return {
    organizationId: orgA,
    version: 'v1',
    rules: [{ id: 'ORG-0001', policy: 'LLM02', patterns: [{ phrase: 'project falcon' }] }],
    allow: [],
    lastNumber: 1,
    updatedAt: epoch,
    ...values,
  };
}

/** A folder that is removed with everything in it when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'merlon-store.'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
