import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import type { Pool } from '../pool/pool.js';
import type { PublishedProgram } from '../pool/protocol.js';
import type { RulesCompiler } from '../pool/rules-compiler.js';
import { type ScanLog, type Store, StoreError } from '../store/store.js';
import type { Link } from './link.js';
import type { AskedOfMain, RecordToStore } from './protocol.js';

type Main = Link<AskedOfMain>;

/** The pool of the main thread: one queue for all threads, and one bound. */
export function remotePool(main: Main, threads: number, program?: PublishedProgram): Pool {
  return {
    threads,
    // Counted where it is.
    queued: 0,
    over: (other) => remotePool(main, threads, other),
    start: () => {},
    run: async (task, abandoned) => {
      if (abandoned?.aborted) throw new GuardError('deadline', 'The caller left before the scan began.');
      return main.ask('run', { task, ...(program && { program }) });
    },
    close: async () => {},
  };
}

/** The compiling thread of the main thread, as far as scans need it. */
export function remoteCompiler(main: Main): Pick<RulesCompiler, 'knowing'> {
  return {
    knowing: (shippedIds) => ({
      check: () => Promise.reject(new Error('rules are checked on the main thread')),
      open: (rules) => main.ask('open', { rules, shippedIds }),
    }),
  };
}

/** A store that is read here and written by the main thread, as far as scans write. */
export function storeWrittenByMain(store: Store, main: Main): Store {
  const touch = async (tokenId: string, lastUsedAt: number) => void (await main.ask('touch', { tokenId, lastUsedAt }));
  return {
    ...store,
    tokens: { ...store.tokens, touch },
    scans: { ...store.scans, append: remoteAppend(main) },
  };
}

/** Records of one turn of the event loop go together, and share a promise as those of one transaction do. */
function remoteAppend(main: Main): ScanLog['append'] {
  let waiting = 0;
  let batch: RecordToStore[] = [];
  let stored: Promise<boolean> | undefined;

  const send = async (): Promise<boolean> => {
    await new Promise((resolve) => setImmediate(resolve));
    const records = batch;
    batch = [];
    stored = undefined;
    try {
      return await main.ask('append', records);
    } finally {
      waiting -= records.length;
    }
  };

  return (record, text) => {
    if (waiting >= limits.recordQueueMax) throw new StoreError('Too many scan records wait for the store.');
    waiting++;
    batch.push(text ? { record, text } : { record });
    stored ??= send();
    return stored;
  };
}
