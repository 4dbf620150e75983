import type { AppDescriptor } from 'uWebSockets.js';
import type { ThreadLoad } from '../api/operation.js';
import type { Answer, Route } from '../api/route.js';
import type { Config } from '../config.js';
import type { CustomRules } from '../domain/custom-rules.js';
import type { ScanRecord, StoredText } from '../domain/scan-record.js';
import type { Profile } from '../engine/judge/profile.js';
import type { RecallParts } from '../engine/judge/recall.js';
import type { VersionedRules } from '../guard/overlays.js';
import type { PoolAnswer, PublishedProgram, ScanTask } from '../pool/protocol.js';
import type { ExportedMetric } from '../telemetry/metrics.js';
import type { ForwardedRequest } from './forward.js';

/**
 * What crosses between the main thread and the other threads of the front end. The main thread accepts connections, deals
 * them out, and alone writes to the store; every thread answers scans from its own reads of the shared store.
 */

/** Given to a thread when it starts. */
export interface FrontData {
  readonly config: Config;
  readonly rules: PublishedRules;
  /** What is known to be clean. */
  readonly recall: RecallParts | undefined;
  /** See `EnvironmentOptions.changes`. */
  readonly changes: Int32Array;
  /** What the main thread serves; scans apart, its routes are asked for there. */
  readonly routes: readonly Pick<Route, 'method' | 'path' | 'whileDraining'>[];
}

export interface PublishedRules {
  readonly generation: number;
  readonly program: WebAssembly.Memory;
  readonly profiles: readonly Profile[];
}

/** What a thread asks the main one. */
export type AskedOfMain = {
  /** It serves; connections may be dealt out to this application. */
  readonly ready: readonly [AppDescriptor, unknown];
  readonly request: readonly [ForwardedRequest, Answer];
  readonly run: readonly [PoolRequest, PoolAnswer];
  /** Compiled rules of an organization. */
  readonly open: readonly [OpenRequest, WebAssembly.Memory | undefined];
  /** Records for the store, in the order of their scans; true where all were stored whole. */
  readonly append: readonly [readonly RecordToStore[], boolean];
  readonly touch: readonly [{ readonly tokenId: string; readonly lastUsedAt: number }, unknown];
};

/** What the main thread asks each of the others. Answered once it holds there. */
export type AskedOfFront = {
  readonly publish: readonly [PublishedRules, unknown];
  readonly prepare: readonly [{ readonly rules: VersionedRules; readonly program: WebAssembly.Memory }, unknown];
  /** Answered when the records of all scans that it answered before are stored or lost. */
  readonly settle: readonly [undefined, unknown];
  readonly metrics: readonly [undefined, readonly ExportedMetric[]];
  readonly load: readonly [undefined, ThreadLoad];
  /** Answered when nothing is in flight any more; new requests are refused. */
  readonly quiesce: readonly [undefined, unknown];
  /** Answered when its connections are gone, or have had their time. */
  readonly linger: readonly [undefined, unknown];
  /** Answered when its connections and its store are closed. */
  readonly close: readonly [undefined, unknown];
};

interface PoolRequest {
  readonly task: Omit<ScanTask, 'kind' | 'program' | 'shared' | 'cancelled'>;
  readonly program?: PublishedProgram;
}

interface OpenRequest {
  readonly rules: CustomRules;
  readonly shippedIds: readonly string[];
}

export interface RecordToStore {
  readonly record: ScanRecord;
  readonly text?: StoredText;
}
