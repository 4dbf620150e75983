import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { GuardError, invalidInput, wrongCursor } from '../domain/errors.js';
import type { Verdict } from '../domain/finding.js';
import type { Principal } from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import { policyCodes } from '../domain/policy.js';
import type { ScanRecord } from '../domain/scan-record.js';
import type { Overlay } from '../engine/overlay.js';
import type { Program } from '../engine/program.js';
import { CursorError, type Store, StoreError } from '../store/store.js';
import type { Clock } from '../telemetry/clock.js';
import { type AssignedProfile, boundApplication } from './assigned-profile.js';
import type { BuildInfo } from './build-info.js';
import type { Guard, ScanRequest, ScanResult } from './guard.js';
import type { Inspection, Inspector } from './inspector.js';
import type { Overlays } from './overlays.js';
import { overviewOf } from './overview.js';
import type { EnforcedProfile } from './profiles.js';
import type { Recorder } from './recorder.js';
import { hasNoSecrets } from './redactor.js';
import { createScanIds, type NewScan } from './scan-ids.js';
import { overlaidVersion, toScanResult } from './scan-result.js';
import type { KeepText } from './text-keeper.js';
import { type TokenCache, type VerifiedToken, verifyToken } from './tokens.js';

/** What outlives a generation of the rules. */
export interface GuardMemory {
  readonly tokens: TokenCache;
  readonly newScan: () => NewScan;
}

/** A memory that knows nothing yet. */
export function createGuardMemory(): GuardMemory {
  return {
    tokens: new LRUCache<string, VerifiedToken>({ max: limits.principalCacheMax }),
    newScan: createScanIds(),
  };
}

export interface GuardOptions {
  readonly store: Store;
  readonly program: Program;
  readonly assignedProfile: AssignedProfile;
  readonly inspector: Inspector;
  readonly overlays: Overlays;
  readonly keepText: KeepText;
  readonly clock: Clock;
  readonly build: BuildInfo;
  /** Shared by all guards of a store. */
  readonly recorder: Recorder;
  /** A token's last use could not be written. */
  readonly storeFailed: (error: unknown) => void;
  /** Shared by all generations; one of its own where it is left out. */
  readonly memory?: GuardMemory;
  /** A scan has its verdict, then its record was handed over; for those who time them. */
  readonly onStage?: (stage: 'scan' | 'record') => void;
}

/** The use cases over a store and one compiled program. */
export function createGuardService(options: GuardOptions): Guard {
  const { store, program, assignedProfile, inspector, overlays, keepText, clock, build, recorder, storeFailed } =
    options;
  const { memory = createGuardMemory(), onStage = () => {} } = options;
  const { tokens, newScan } = memory;

  const read = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      if (error instanceof CursorError) {
        throw invalidInput([{ pointer: '?cursor', message: wrongCursor }]);
      }
      if (error instanceof StoreError) throw new GuardError('store_unavailable', 'Results cannot be read now.');
      throw error;
    }
  };

  /** Reads once the records are there of all scans that were answered before. */
  const readLate = <T>(action: () => T): T | Promise<T> => {
    const settled = recorder.settled();
    if (!settled) return read(action);
    const waited = sleep(limits.recordWaitMs, undefined, { ref: false });
    return Promise.race([settled, waited]).then(() => read(action));
  };

  const finish = (
    principal: Principal,
    request: ScanRequest,
    { profile, version: profileVersion, storeText }: EnforcedProfile,
    overlay: Overlay | undefined,
    { verdict, scanUs, scannedFrom, recalled }: Inspection,
    askedUs: number,
  ): ScanResult | Promise<ScanResult> => {
    onStage('scan');
    const version = overlay === undefined ? profileVersion : overlaidVersion(profileVersion, overlay.parts.id);
    const { id: scanId, createdAt } = newScan();
    const nowUs = clock.nowUs();
    const timing = {
      queueUs: Math.max(0, Math.round(nowUs - askedUs - scanUs)),
      scanUs,
      totalUs: Math.round(nowUs - request.receivedUs),
    };
    const record = toRecord(scanId, principal, request, verdict, scannedFrom, version, timing.totalUs, createdAt);
    const text = keepText(storeText, request.messages, verdict.findings, overlay, scannedFrom);
    const stored = recorder.save(record, text);
    onStage('record');
    // Only MCP's log asks; and what an organization allows is no finding, but redacted all the same.
    const isFree =
      request.source === 'mcp' &&
      overlay === undefined &&
      scannedFrom === 0 &&
      hasNoSecrets(program, profile, request.messages, verdict);
    const scan = {
      scanId,
      request,
      profile,
      program,
      verdict,
      scannedFrom,
      recalled,
      policyVersion: version,
      hasNoSecrets: isFree,
      timing,
    };
    const result = toScanResult(scan, overlay ?? program, build);
    return stored ? stored.then((isStored) => (isStored ? result : { ...result, unrecorded: true })) : result;
  };

  const inspect = (
    principal: Principal,
    request: ScanRequest,
    profile: EnforcedProfile,
    overlay: Overlay | undefined,
    askedUs: number,
  ): ScanResult | Promise<ScanResult> => {
    const inspection = inspector.inspect(request.messages, profile.profile, {
      abandoned: request.abandoned,
      overlay,
      scope: `${principal.organizationId} ${profile.version}`,
    });
    return inspection instanceof Promise
      ? inspection.then((done) => finish(principal, request, profile, overlay, done, askedUs))
      : finish(principal, request, profile, overlay, inspection, askedUs);
  };

  /** What a token that is bound to one application may ask: to scan for it, and for what is recorded of it. */
  const bound = <Asked extends { readonly appUuid?: string }>(principal: Principal, request: Asked): Asked => {
    const appUuid = boundApplication(principal, request.appUuid);
    return appUuid === undefined || appUuid === request.appUuid ? request : { ...request, appUuid };
  };

  return {
    authenticate: (token) => verifyToken(store, tokens, token, clock.nowMs(), storeFailed),
    authorize: (principal, scope) => {
      if (principal.scopes.includes(scope) || principal.scopes.includes('admin')) return;
      if (principal.via === 'session')
        throw new GuardError('forbidden_role', `The role ${principal.role} lacks the scope ${scope}.`);
      throw new GuardError('forbidden_scope', `The token lacks the scope ${scope}.`);
    },
    scan: (principal, asked) => {
      const request = bound(principal, asked);
      const askedUs = clock.nowUs();
      const profile = assignedProfile(principal, request.appUuid);
      const overlay = overlays.of(principal.organizationId, askedUs);
      return overlay instanceof Promise
        ? overlay.then((opened) => inspect(principal, request, profile, opened, askedUs))
        : inspect(principal, request, profile, overlay, askedUs);
    },
    results: (principal, asked) => {
      const query = bound(principal, asked);
      const { organizationId } = principal;
      return readLate(() => {
        const { scanId } = query;
        const page = store.scans.find({ ...query, organizationId });
        if (scanId === undefined || page.records[0]?.storedText === undefined) return page;
        const text = store.scans.text(organizationId, scanId);
        return text ? { ...page, text } : page;
      });
    },
    overview: (principal, asked) => {
      const query = bound(principal, asked);
      if (query.projectId !== undefined && query.appUuid !== undefined) {
        throw invalidInput([
          { pointer: '?project_id', message: 'cannot be given with a token that is bound to an application' },
        ]);
      }
      return readLate(() =>
        overviewOf(store.scans.rollups({ ...query, organizationId: principal.organizationId }), query),
      );
    },
    policies: (principal) => {
      const { profile } = assignedProfile(principal, principal.appUuid);
      return policyCodes.flatMap((code, index) => {
        const { mode } = profile.settings[index];
        return mode === 'off' ? [] : [{ code, mode }];
      });
    },
  };
}

function toRecord(
  id: string,
  principal: Principal,
  request: ScanRequest,
  verdict: Verdict,
  scannedFrom: number,
  version: string,
  durationUs: number,
  createdAt: number,
): ScanRecord {
  return {
    id,
    organizationId: principal.organizationId,
    createdAt,
    flagged: verdict.flagged,
    projectId: request.projectId ?? null,
    appUuid: request.appUuid ?? null,
    source: request.source,
    requestId: request.requestId,
    policyVersion: version,
    durationUs,
    messageLengths: request.messages.map(({ content }) => content.length),
    scannedFrom,
    matchesTotal: verdict.findings.length,
    detectors: verdict.policies,
    matches: verdict.findings.slice(0, limits.recordMatchesMax),
  };
}
