import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { GuardError } from '../domain/errors.js';
import type { Verdict } from '../domain/finding.js';
import type { Application, Principal } from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import { policyCodes } from '../domain/policy.js';
import type { ScanRecord } from '../domain/scan-record.js';
import type { Profile } from '../engine/judge/profile.js';
import type { Overlay } from '../engine/overlay.js';
import type { Program } from '../engine/program.js';
import { CursorError, type ScanPage, type ScanQuery, type Store, StoreError } from '../store/store.js';
import type { Clock } from '../telemetry/clock.js';
import type { BuildInfo } from './build-info.js';
import type { Guard, ScanRequest, ScanResult } from './guard.js';
import type { Inspection, Inspector } from './inspector.js';
import type { Overlays } from './overlays.js';
import { newScanId, overlaidVersion, policyVersion, toScanResult } from './scan-result.js';
import { type VerifiedPrincipal, verifyToken } from './tokens.js';

/** What the service tells those who count: never any content. */
interface GuardEvents {
  /** A record or a token's last use could not be written. */
  storeFailed(error: unknown): void;
  recordDropped(): void;
}

export interface GuardOptions {
  readonly store: Store;
  readonly program: Program;
  /** Must hold one named `default`, which stands in for an assigned profile that no longer exists. */
  readonly profiles: readonly Profile[];
  readonly inspector: Inspector;
  readonly overlays: Overlays;
  readonly clock: Clock;
  readonly build: BuildInfo;
  readonly events: GuardEvents;
}

/** The use cases over a store and one compiled program. */
export function createGuardService(options: GuardOptions): Guard {
  const { store, program, inspector, overlays, clock, build, events } = options;
  const profiles = new Map(
    options.profiles.map((profile) => [profile.id, { profile, version: policyVersion(profile, program) }]),
  );
  const fallback = profiles.get('default');
  if (!fallback) throw new Error('there is no profile named default');
  const principals = new LRUCache<string, VerifiedPrincipal>({ max: limits.principalCacheMax });
  const applications = new LRUCache<string, Application>({ max: limits.principalCacheMax });

  const findApplication = (id: string): Application | undefined => {
    try {
      const application = store.applications.get(id);
      if (application) applications.set(id, application);
      return application;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // The last known assignment keeps verdicts going while the store cannot be read.
      const known = applications.get(id);
      if (known) return known;
      throw new GuardError('store_unavailable', 'The application cannot be looked up now.');
    }
  };

  const profileFor = (principal: Principal, appUuid: string | undefined): VersionedProfile => {
    if (appUuid === undefined) return profiles.get(principal.profileId) ?? fallback;
    const application = findApplication(appUuid);
    if (application && application.organizationId !== principal.organizationId) {
      throw new GuardError('forbidden_app', 'You do not have access to this application.');
    }
    if (!application?.active) throw new GuardError('unknown_app', 'Unknown app_uuid.');
    return profiles.get(application.profileId) ?? fallback;
  };

  /** Appends that are not settled yet; results wait for them, so that a caller finds what it has just scanned. */
  const pending = new Set<Promise<void>>();
  const save = (record: ScanRecord): void => {
    const failed = (error: unknown) => {
      events.recordDropped();
      events.storeFailed(error);
    };
    try {
      const append: Promise<void> = store.scans
        .append(record)
        .catch(failed)
        .finally(() => pending.delete(append));
      pending.add(append);
    } catch (error) {
      failed(error);
    }
  };

  const find = (query: ScanQuery): ScanPage => {
    try {
      return store.scans.find(query);
    } catch (error) {
      if (error instanceof CursorError) {
        throw new GuardError('invalid_input', error.message, [{ pointer: '?cursor', message: error.message }]);
      }
      if (error instanceof StoreError) throw new GuardError('store_unavailable', 'Results cannot be read now.');
      throw error;
    }
  };

  const finish = (
    principal: Principal,
    request: ScanRequest,
    { profile, version: profileVersion }: VersionedProfile,
    overlay: Overlay | undefined,
    { verdict, scanUs }: Inspection,
    askedUs: number,
  ): ScanResult => {
    const version = overlay === undefined ? profileVersion : overlaidVersion(profileVersion, overlay.parts.id);
    const scanId = newScanId();
    const nowUs = clock.nowUs();
    const timing = {
      queueUs: Math.max(0, Math.round(nowUs - askedUs - scanUs)),
      scanUs,
      totalUs: Math.round(nowUs - request.receivedUs),
    };
    save(toRecord(scanId, principal, request, verdict, version, timing.totalUs, clock.nowMs()));
    const scan = { scanId, request, profile, verdict, policyVersion: version, timing };
    return toScanResult(scan, overlay ?? program, build);
  };

  const inspect = (
    principal: Principal,
    request: ScanRequest,
    profile: VersionedProfile,
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
    const { appUuid } = principal;
    if (appUuid === undefined || request.appUuid === appUuid) return request;
    if (request.appUuid === undefined) return { ...request, appUuid };
    throw new GuardError('forbidden_app', 'You do not have access to this application.');
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
      const profile = profileFor(principal, request.appUuid);
      const askedUs = clock.nowUs();
      const overlay = overlays.of(principal.organizationId, askedUs);
      return overlay instanceof Promise
        ? overlay.then((opened) => inspect(principal, request, profile, opened, askedUs))
        : inspect(principal, request, profile, overlay, askedUs);
    },
    results: (principal, query) => {
      const scoped = { ...query, organizationId: principal.organizationId };
      if (pending.size === 0) return find(scoped);
      return Promise.race([Promise.allSettled(pending), sleep(limits.recordWaitMs, undefined, { ref: false })]).then(
        () => find(scoped),
      );
    },
    policies: (principal) => {
      const { profile } = profileFor(principal, principal.appUuid);
      return policyCodes.flatMap((code, index) => {
        const { mode } = profile.settings[index];
        return mode === 'off' ? [] : [{ code, mode }];
      });
    },
  };
}

interface VersionedProfile {
  readonly profile: Profile;
  readonly version: string;
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
