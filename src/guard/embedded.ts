import { GuardError } from '../domain/errors.js';
import type { Message } from '../domain/message.js';
import type { Engine } from '../engine/automaton/searcher.js';
import type { Profile } from '../engine/judge/profile.js';
import type { Program } from '../engine/program.js';
import type { Scanner } from '../engine/scanner.js';
import { createPool, type Pool, type PoolOptions } from '../pool/pool.js';
import type { Clock } from '../telemetry/clock.js';
import type { BuildInfo } from './build-info.js';
import type { ScanRequest, ScanResult } from './guard.js';
import { createInspector, type Inspection } from './inspector.js';
import { putPlaceholders, type Redaction, type Values } from './placeholders.js';
import { createScanIds } from './scan-ids.js';
import { policyVersion, toScanResult } from './scan-result.js';
import { createSensitiveMatcher } from './sensitive-spans.js';

/** Scans under one profile in this process: no store, no caller, nothing recorded. */
export interface EmbeddedScans {
  /** On the calling thread, whatever the size. */
  scanSync(request: ScanRequest): ScanResult;
  /** As `Guard.scan`; an application is never known here, so one that is named is refused with `unknown_app`. */
  scan(request: ScanRequest): ScanResult | Promise<ScanResult>;
  /** Puts placeholders in the place of what the rules of LLM02 find, whatever profile, role and score: see `putPlaceholders`. */
  redact(messages: readonly Message[], known: Values): Redaction;
  /** Stops the worker threads; from then on all three throw `draining`. */
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly program: Program;
  readonly profile: Profile;
  /** Of the calling thread. */
  readonly scanner: Scanner;
  readonly engine: Engine;
  /** As `createPool` has them; the threads are started when first needed. */
  readonly pool?: Pick<PoolOptions, 'threads' | 'queueMax' | 'deadlineMs'>;
  /** See `createInspector`. */
  readonly inlineUnitsMax?: number;
  readonly clock: Clock;
  readonly build: BuildInfo;
}

export function createEmbeddedScans(options: EmbeddedOptions): EmbeddedScans {
  const { program, profile, engine, clock, build } = options;
  let pool: Pool | undefined;
  let isClosed = false;
  const assertOpen = () => {
    if (isClosed) throw new GuardError('draining', 'The guard is closed.');
  };
  const startPool = () => {
    pool ??= createPool({ program: program.memory, engine, ...options.pool });
    return pool;
  };
  const inspector = createInspector(options.scanner, startPool, options);
  const version = policyVersion(profile, program);
  const newScan = createScanIds();
  const find = createSensitiveMatcher(options.scanner);
  const finish = (request: ScanRequest, { verdict, scanUs, scannedFrom, recalled }: Inspection): ScanResult => {
    const totalUs = Math.round(clock.nowUs() - request.receivedUs);
    const timing = { queueUs: Math.max(0, totalUs - scanUs), scanUs, totalUs };
    const scan = {
      scanId: newScan().id,
      request,
      profile,
      program,
      verdict,
      scannedFrom,
      recalled,
      policyVersion: version,
      timing,
    };
    return toScanResult(scan, program, build);
  };
  return {
    scanSync: (request) => {
      assertOpen();
      return finish(request, inspector.inspectInline(request.messages, profile));
    },
    scan: (request) => {
      assertOpen();
      if (request.appUuid !== undefined) throw new GuardError('unknown_app', 'Unknown app_uuid.');
      const inspection = inspector.inspect(request.messages, profile, { abandoned: request.abandoned });
      return inspection instanceof Promise
        ? inspection.then((done) => finish(request, done))
        : finish(request, inspection);
    },
    redact: (messages, known) => {
      assertOpen();
      return putPlaceholders(messages, known, find, (rule) => program.rules[rule].label);
    },
    close: async () => {
      isClosed = true;
      await pool?.close();
    },
  };
}
