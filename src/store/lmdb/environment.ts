import { setTimeout as delay } from 'node:timers/promises';
import { type Database, open } from 'lmdb';
import { GuardError } from '../../domain/errors.js';
import { limits } from '../../domain/limits.js';
import { CursorError, StoreError, type StoreHealth } from '../store.js';
import { prepareDataFolder, reasonOf, watchDataFile } from './data-folder.js';
import { createTransactions } from './transactions.js';

/** One named table of an environment: bytes to bytes, in the order of the keys' bytes. */
export type ByteTable = Database<Buffer, Buffer>;

/** An open LMDB environment, with every failure turned into a `StoreError` and remembered for `health`. */
export interface Environment {
  /**
   * Opens or creates a table; a transaction of its own, so all are opened at the start. Throws where it cannot. One that is
   * for walks over many rows copies their values into shared slabs, which takes less than half the time.
   */
  openTable(name: string, use?: 'walks'): ByteTable;
  /** Runs reads. They see one snapshot, at most one turn of the event loop old. */
  read<T>(action: () => T): T;
  /**
   * Runs reads and writes (`putSync`, `removeSync`) as one transaction; resolves once it is committed. An action
   * that throws leaves nothing behind. The action runs on this thread, the commit on another.
   */
  write<T>(action: () => T): Promise<T>;
  /** As `write`; `version` gives another number from then on. */
  change<T>(action: () => T): Promise<T>;
  /** See `Store.version`. */
  version(): number;
  /** Resolves once all that was committed before is on disk. Never, where it cannot be brought there. */
  flushed(): Promise<unknown>;
  /** The same as `write` at once, holding up this thread until it is committed: for the time before anybody waits for it. Throws. */
  writeNow<T>(action: () => T): T;
  /**
   * Commits next to nothing. Pages that a transaction frees can be used again two commits later; on a full disk, where
   * larger ones fail, these are the commits that get there.
   */
  advance(): Promise<void>;
  /** Why a write that can be done without should not be tried now: one has just failed. */
  pauseReason(): string | undefined;
  health(): StoreHealth;
  close(): Promise<void>;
}

export interface EnvironmentOptions {
  /** A write that has waited this long makes the store unhealthy: the disk, or another process, holds it up. */
  readonly stallMs?: number;
  /** After a failed write, this long no scan record is tried. LMDB prints every failure, and a full disk has enough to bear. */
  readonly retryPauseMs?: number;
  /** After a failed write, this long later one is tried where nobody wants any: only a write tells that the disk has room again. */
  readonly recheckMs?: number;
  /** One shared cell for all threads that have this folder open, counted up after each change of any of them. */
  readonly changes?: Int32Array;
}

/** A cell for `EnvironmentOptions.changes`. */
export function newChangeCell(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

const stallMsDefault = 5_000;
const retryPauseMsDefault = 250;
const recheckMsDefault = 10_000;

/** More named tables than the store has. */
const tablesMax = 64;

/** The system's reason follows a failed commit in the same turn of the event loop; this only bounds the wait. */
const reasonWaitMs = 1_000;

/** Opens or creates the environment in `folder`. Throws, not always a `StoreError`, where it cannot. */
export function openEnvironment(folder: string, options: EnvironmentOptions = {}): Environment {
  prepareDataFolder(folder);
  const root = open<Buffer, Buffer>(folder, {
    // A folder with a dot in its name would be taken for a file.
    noSubdir: false,
    maxDbs: tablesMax,
    // With it, LMDB makes one more promise a batch that rejects when a commit fails and that nobody can handle.
    eventTurnBatching: false,
  });
  const transactions = createTransactions(root, folder);
  // Opening it may have hidden what another process committed.
  transactions.writeNow(() => {});
  const file = watchDataFile(folder);
  const advances = openTable('advances');
  const versions = openTable('versions');
  const { stallMs = stallMsDefault, retryPauseMs = retryPauseMsDefault, recheckMs = recheckMsDefault } = options;
  /** Tells what other threads, or this one, changed since the disk was asked. */
  const changes = options.changes ?? newChangeCell();
  let known = { changes: -1, version: 0, isOfThisTurn: false };
  /** When each unanswered write began, oldest first. */
  const pending = new Map<Promise<unknown>, number>();
  let readFailure: string | undefined;
  let writeFailure: { readonly reason: string; readonly at: number } | undefined;
  let recheck: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;

  const admit = () => {
    if (closing) throw new StoreError('The store is closed.');
  };

  const failWrite = (cause: unknown): StoreError => {
    const reason = `The store cannot be written: ${reasonOf(cause)}.`;
    writeFailure = { reason, at: performance.now() };
    recheck ??= setTimeout(lookAgain, recheckMs).unref();
    return new StoreError(reason, { cause });
  };

  const lookAgain = () => {
    recheck = undefined;
    if (writeFailure && !closing) environment.advance().catch(() => {});
  };

  function openTable(name: string, use?: 'walks'): ByteTable {
    const values = use === 'walks' ? { encoder: createSlabCopier() } : { encoding: 'binary' as const };
    return root.openDB<Buffer, Buffer>(name, { ...values, keyEncoding: 'binary' });
  }

  const environment: Environment = {
    openTable,
    read(action) {
      admit();
      try {
        const value = action();
        readFailure = undefined;
        return value;
      } catch (error) {
        if (error instanceof CursorError) throw error;
        readFailure = error instanceof StoreError ? error.message : `The store cannot be read: ${reasonOf(error)}.`;
        throw error instanceof StoreError ? error : new StoreError(readFailure, { cause: error });
      }
    },
    async write(action) {
      admit();
      try {
        if (!file.isInPlace()) throw new Error('the data folder was removed or replaced');
        const outcome = transactions.write(action);
        pending.set(outcome, performance.now());
        try {
          await outcome;
          writeFailure = undefined;
          return outcome;
        } finally {
          pending.delete(outcome);
        }
      } catch (error) {
        // Thrown by the action: it refused, and nothing is wrong with the store.
        if (error instanceof StoreError || error instanceof GuardError) throw error;
        throw failWrite(await commitCause(error));
      }
    },
    async change(action) {
      const outcome = await environment.write(() => {
        versions.putSync(versionKey, encodeVersion(loadVersion(versions) + 1));
        return action();
      });
      Atomics.add(changes, 0, 1);
      return outcome;
    },
    version() {
      const changed = Atomics.load(changes, 0);
      if (known.isOfThisTurn && known.changes === changed) return known.version;
      return environment.read(() => {
        // LMDB keeps its snapshot for a millisecond, which may be several turns.
        root.resetReadTxn();
        const asked = { changes: changed, version: loadVersion(versions), isOfThisTurn: true };
        known = asked;
        setImmediate(() => {
          asked.isOfThisTurn = false;
        });
        return asked.version;
      });
    },
    flushed: () => Promise.resolve(root.flushed),
    writeNow(action) {
      admit();
      return transactions.writeNow(action);
    },
    advance: () => environment.write(() => advances.putSync(Buffer.from('last'), Buffer.alloc(1))),
    pauseReason() {
      return writeFailure && performance.now() - writeFailure.at < retryPauseMs ? writeFailure.reason : undefined;
    },
    health() {
      if (closing) return { ok: false, reason: 'The store is closed.' };
      const [oldest = Number.POSITIVE_INFINITY] = pending.values();
      if (performance.now() - oldest > stallMs) return { ok: false, reason: 'Writes to the store are not answered.' };
      const reason = writeFailure?.reason ?? readFailure;
      return reason === undefined ? { ok: true } : { ok: false, reason };
    },
    close() {
      closing ??= Promise.race([finish(), delay(limits.drainMs, undefined, { ref: false })]);
      return closing;
    },
  };
  return environment;

  async function finish(): Promise<void> {
    await Promise.allSettled(pending.keys());
    // After a failed commit LMDB waits for a flush that never comes; an empty transaction, which needs no disk, ends that.
    if (writeFailure) await root.transaction(() => {}).catch(() => {});
    await root.close();
  }
}

const versionKey = Buffer.from('version');

function loadVersion(versions: ByteTable): number {
  return versions.get(versionKey)?.readDoubleLE() ?? 0;
}

function encodeVersion(version: number): Buffer {
  const bytes = Buffer.alloc(Float64Array.BYTES_PER_ELEMENT);
  bytes.writeDoubleLE(version);
  return bytes;
}

/** Room for some 500 values of a walk. */
const slabBytes = 1024 * 1024;

/**
 * Copies values out of LMDB's buffer, as it does itself, but many of them into one allocation: an allocation for each was
 * 25 of the 42 ms that a walk over a million entries took. A slab is never written twice, so values stay what they are.
 */
function createSlabCopier(): { encode(value: Buffer): Buffer; decode(bytes: Uint8Array): Buffer } {
  let slab = Buffer.alloc(0);
  let used = 0;
  return {
    encode: (value) => value,
    decode: ({ length, buffer, byteOffset }) => {
      if (used + length > slab.length) {
        slab = Buffer.allocUnsafeSlow(Math.max(slabBytes, length));
        used = 0;
      }
      const copy = slab.subarray(used, used + length);
      copy.set(new Uint8Array(buffer, byteOffset, length));
      used += length;
      return copy;
    },
  };
}

/**
 * A failed commit rejects twice: with a general error, and with the system's reason in a promise of its own that
 * ends the process unless it is handled.
 */
async function commitCause(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error && error.commitError instanceof Promise)) return error;
  const reason = error.commitError.then(
    () => error,
    (cause: unknown) => cause,
  );
  return Promise.race([reason, delay(reasonWaitMs, error, { ref: false })]);
}
