import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { open } from 'lmdb';
import { StoreError } from '../store.js';
import { dataPath, hasData, prepareDataFolder, reasonOf } from './data-folder.js';

/** A copy that is being made. */
export interface Backup {
  /** Bytes of the copy so far, and of the data that is copied, of which unused pages are left out. */
  progress(): { readonly copied: number; readonly all: number };
  /** Takes away what there is of it; for who ends the process meanwhile. */
  abandon(): void;
  /** Bytes of the copy, once all of it is on disk under its name. Rejects with a `StoreError`, and then nothing is left of it. */
  readonly done: Promise<number>;
}

/**
 * Begins to copy the data in `folder` to `target`, the absolute path of a folder that does not exist or is empty: as they are at one moment, which is
 * what was committed by then, also while services write to them. The copy is a data folder like any other, for its owner alone.
 * Services go on; what they free meanwhile is not used again until it is done. Throws a `StoreError` where there are no data.
 */
export function beginBackup(folder: string, target: string): Backup {
  if (!hasData(folder)) throw new StoreError(`There are no data in ${folder}.`);
  prepareDataFolder(folder);
  const failed = (error: unknown) =>
    new StoreError(`The data cannot be copied to ${target}: ${reasonOf(error)}.`, { cause: error });
  let place: Place;
  try {
    place = existsSync(target) ? inside(target) : beside(target);
  } catch (error) {
    throw failed(error);
  }
  const { partial, publish } = place;
  const abandon = () => rmSync(partial, { recursive: true, force: true });
  const copy = async (): Promise<number> => {
    const root = open(folder, { noSubdir: false, readOnly: true });
    try {
      await root.backup(partial, true);
    } finally {
      await root.close();
    }
    chmodSync(dataPath(partial), 0o600);
    flush(dataPath(partial));
    const { size } = statSync(dataPath(partial));
    publish();
    return size;
  };
  return {
    progress: () => ({ copied: sizeOf(dataPath(partial)), all: sizeOf(dataPath(folder)) }),
    abandon,
    done: copy().catch((error: unknown) => {
      abandon();
      throw failed(error);
    }),
  };
}

/** Where an unfinished copy lies: a folder from which it gets its name in one step. */
interface Place {
  readonly partial: string;
  publish(): void;
}

function beside(target: string): Place {
  const partial = mkdtempSync(`${target}.part-`);
  return {
    partial,
    publish: () => {
      renameSync(partial, target);
      flush(dirname(target));
    },
  };
}

/** The target may be a mount point, which nothing takes the place of, and whose disk is not the one beside it. */
function inside(target: string): Place {
  const partial = mkdtempSync(join(target, 'part-'));
  return {
    partial,
    publish: () => {
      if (existsSync(dataPath(target))) throw new Error('there are other data in it by now');
      renameSync(dataPath(partial), dataPath(target));
      rmSync(partial, { recursive: true });
      flush(target);
    },
  };
}

function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
