import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { GuardError } from '../domain/errors.js';
import type { Verdict } from '../domain/finding.js';
import type { Principal } from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import { policyCodes } from '../domain/policy.js';
import type { ScanRecord, StoredText } from '../domain/scan-record.js';
import { modelOf } from '../engine/judge/profile.js';
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
import { newScanId, overlaidVersion, timeOfScan, toScanResult } from './scan-result.js';
import type { KeepText } from './text-keeper.js';
import { type VerifiedPrincipal, verifyToken } from './tokens.js';

/** What the service tells those who count: never any content. */
interface GuardEvents {
  /** A record or a token's last use could not be written. */
  storeFailed(error: unknown): void;
  recordDropped(): void;
  /** A record was stored without the text that its profile asks for. */
  textDropped(): void;
  /** The verdict of a scan is there; for those who time it. */
  scanned(): void;
  /** Its record was handed to the store, which has it when the promise is settled. */
  recorded(written: Promise<void>): void;
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
  readonly events: GuardEvents;
}

/** The use cases over a store and one compiled program. */
export function createGuardService(options: GuardOptions): Guard {
  const { store, program, assignedProfile, inspector, overlays, keepText, clock, build, events } = options;
  const principals = new LRUCache<string, VerifiedPrincipal>({ max: limits.principalCacheMax });

  /** Appends that are not settled yet; results wait for them, so that a caller finds what it has just scanned. */
  const pending = new Set<Promise<void>>();
  const save = (record: ScanRecord, text: StoredText | undefined): void => {
    const failed = (error: unknown) => {
      events.recordDropped();
      events.storeFailed(error);
    };
    try {
      const append: Promise<void> = store.scans
        .append(record, text)
        .then((isWhole) => {
          if (!isWhole) events.textDropped();
        })
        .catch(failed)
        .finally(() => pending.delete(append));
      pending.add(append);
      events.recorded(append);
    } catch (error) {
      failed(error);
    }
  };

  const read = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      if (error instanceof CursorError) {
        throw new GuardError('invalid_input', error.message, [{ pointer: '?cursor', message: error.message }]);
      }
      if (error instanceof StoreError) throw new GuardError('store_unavailable', 'Results cannot be read now.');
      throw error;
    }
  };

  /** Reads once the records are there of all scans that were answered before. */
  const readLate = <T>(action: () => T): T | Promise<T> => {
    if (pending.size === 0) return read(action);
    const waited = sleep(limits.recordWaitMs, undefined, { ref: false });
    return Promise.race([Promise.allSettled(pending), waited]).then(() => read(action));
  };

  const finish = (
    principal: Principal,
    request: ScanRequest,
    { profile, version: profileVersion, storeText }: EnforcedProfile,
    overlay: Overlay | undefined,
    { verdict, scanUs }: Inspection,
    askedUs: number,
  ): ScanResult => {
    events.scanned();
    const version = overlay === undefined ? profileVersion : overlaidVersion(profileVersion, overlay.parts.id);
    const scanId = newScanId();
    const nowUs = clock.nowUs();
    const timing = {
      queueUs: Math.max(0, Math.round(nowUs - askedUs - scanUs)),
      scanUs,
      totalUs: Math.round(nowUs - request.receivedUs),
    };
    const record = toRecord(scanId, principal, request, verdict, version, timing.totalUs, timeOfScan(scanId));
    save(record, keepText(storeText, request.messages, verdict.findings, overlay));
    const model = modelOf(profile, program);
    const scan = { scanId, request, profile, model, verdict, policyVersion: version, timing };
    return toScanResult(scan, overlay ?? program, build);
  };

  const inspect = (
    principal: Principal,
    request: ScanRequest,
    profile: EnforcedProfile,
    overlay: Overlay | undefined,
    askedUs: number,
  ): ScanResult | Promise<ScanResult> => {
    const inspection = inspector.inspect(request.messages, profile.profile, request.abandoned, overlay);
    return inspection instanceof Promise
      ? inspection.then((done) => finish(principal, request, profile, overlay, done, askedUs))
      : finish(principal, request, profile, overlay, inspection, askedUs);
  };

  /** The request as a token that is bound to one application may make it. */
  const bound = (principal: Principal, request: ScanRequest): ScanRequest => {
    const appUuid = boundApplication(principal, request.appUuid);
    return appUuid === undefined || appUuid === request.appUuid ? request : { ...request, appUuid };
  };

  return {
    authenticate: (token) => verifyToken(store, principals, token, clock.nowMs(), events.storeFailed),
    authorize: (principal, scope) => {
      if (principal.scopes.includes(scope) || principal.scopes.includes('admin')) return;
      if (principal.via === 'session')
        throw new GuardError('forbidden_role', `The role ${principal.role} lacks the scope ${scope}.`);
      throw new GuardError('forbidden_scope', `The token lacks the scope ${scope}.`);
    },
    scan: (principal, asked) => {
      const request = bound(principal, asked);
      const askedUs = clock.nowUs();
      const profile = assignedProfile(principal, request.appUuid, askedUs);
      const overlay = overlays.of(principal.organizationId, askedUs);
      return overlay instanceof Promise
        ? overlay.then((opened) => inspect(principal, request, profile, opened, askedUs))
        : inspect(principal, request, profile, overlay, askedUs);
    },
    results: ({ organizationId }, query) =>
      readLate(() => {
        const { scanId } = query;
        const page = store.scans.find({ ...query, organizationId });
        if (scanId === undefined || page.records[0]?.storedText === undefined) return page;
        const text = store.scans.text(organizationId, scanId);
        return text ? { ...page, text } : page;
      }),
    overview: (principal, query) =>
      readLate(() => overviewOf(store.scans.rollups({ ...query, organizationId: principal.organizationId }), query)),
    policies: (principal) => {
      const { profile } = assignedProfile(principal, principal.appUuid, clock.nowUs());
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
    matchesTotal: verdict.findings.length,
    detectors: verdict.policies,
    matches: verdict.findings.slice(0, limits.recordMatchesMax),
  };
}
