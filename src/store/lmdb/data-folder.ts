import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../domain/make-folder.js';
import { StoreError } from '../store.js';
import { areFree } from './free-pages.js';

/*
 * LMDB 3.5 for Node ends the process with a signal where an environment cannot be opened (a full disk on the
 * first start, a file that is not LMDB's, a folder in the lock file's place) and where a page lies behind the
 * end of the data file. Whatever can be seen beforehand is therefore looked at here and becomes a `StoreError`.
 * What cannot be seen from outside is damage in the middle of the file.
 */

/** Room that a new environment needs; the probe is larger, so that the first tables fit as well. */
const probeBytes = 256 * 1024;

/** How often the file is looked at anew because another process went on writing meanwhile. */
const looksMax = 8;

/*
 * The first two pages hold a meta record each, behind a page header of 24 bytes; the one with the higher transaction
 * counts. Little endian; offsets within the record (MDB_meta of LMDB's data version 2):
 *
 *   0 magic u32 | 4 version u32 | 24 page size u32 | 64 root of unused pages u64 | 120 last page u64 | 128 transaction u64
 */
const metaOffset = 24;
const metaBytes = 144;
/** By which LMDB's own files are known, the lock file, too. */
export const magic = 0xbeefc0de;

/** The data file of an environment, as it was when the environment was opened. */
export interface DataFile {
  /** True as long as the folder still holds this very file. One `stat`; throws where the folder cannot be read. */
  isInPlace(): boolean;
}

/** Creates the folder (mode 0700) and its files (0600) where they are missing and refuses, with a `StoreError`, what LMDB could not open. */
export function prepareDataFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const fresh = [dataPath(folder), lockPath(folder)].filter((path) => isFreshFile(folder, path));
    if (fresh.length > 0) probe(folder);
    // LMDB would let everybody read them, which matters where the folder was there before with a mode of its own.
    for (const path of fresh) closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`The data folder ${folder} cannot be used: ${reasonOf(error)}.`, { cause: error });
  }
  checkDataFile(folder);
}

/**
 * Whether there are data in `folder`: a data file with something in it, for an empty one is what a start leaves that is ended
 * before its first commit. Throws a `StoreError` where that cannot be seen.
 */
export function hasData(folder: string): boolean {
  try {
    return (statSync(dataPath(folder), { throwIfNoEntry: false })?.size ?? 0) > 0;
  } catch (error) {
    throw new StoreError(`The data folder ${folder} cannot be used: ${reasonOf(error)}.`, { cause: error });
  }
}

/** To be called once the environment is open. */
export function watchDataFile(folder: string): DataFile {
  const opened = statSync(dataPath(folder));
  return {
    isInPlace() {
      const now = statSync(dataPath(folder), { throwIfNoEntry: false });
      return now !== undefined && now.ino === opened.ino && now.dev === opened.dev;
    },
  };
}

/** What a failure says about itself, in a few words: the system's message without its call and path. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure';
  return error.message
    .replace(/: Attempting to write page.*$/s, '')
    .replace(/^Input\/output error$/, '$& (which is also what LMDB calls a write that found room for a part of it)')
    .replace(/\.$/, '');
}

/** The data file of a folder. */
export function dataPath(folder: string): string {
  return join(folder, 'data.mdb');
}

/** The lock file beside it. */
export function lockPath(folder: string): string {
  return join(folder, 'lock.mdb');
}

function isFreshFile(folder: string, path: string): boolean {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry) return true;
  if (!entry.isFile()) throw new StoreError(`The data folder ${folder} cannot be used: ${path} is not a file.`);
  accessSync(path, constants.R_OK | constants.W_OK);
  return entry.size === 0;
}

function probe(folder: string): void {
  const path = join(folder, `probe-${process.pid}`);
  try {
    writeFileSync(path, Buffer.alloc(probeBytes), { mode: 0o600 });
  } finally {
    rmSync(path, { force: true });
  }
}

function checkDataFile(folder: string): void {
  const damaged = (what: string) =>
    new StoreError(`The data folder ${folder} is damaged: data.mdb ${what}. Restore it from a copy.`);
  if (!statSync(dataPath(folder), { throwIfNoEntry: false })?.size) return;
  const file = openSync(dataPath(folder), 'r');
  try {
    let meta = readNewestMeta(file);
    if (!meta) throw damaged('is not a database');
    for (let look = 1; !isWhole(file, meta); look++) {
      const now = readNewestMeta(file);
      if (!now || now.transaction === meta.transaction || look === looksMax) throw damaged('has been cut off');
      meta = now;
    }
  } finally {
    closeSync(file);
  }
}

/**
 * Whether the file holds every page that something uses. A transaction that takes pages at the end and gives them back counts
 * them and never writes them (400 KB that were put and removed in one left the file 97 pages short); they are among the unused ones then.
 */
function isWhole(file: number, { pageSize, lastPage, freeRoot }: Meta): boolean {
  // Looked at after the record, so that a process that extends the file meanwhile can only make it look longer.
  const pages = Math.floor(fstatSync(file).size / pageSize);
  const end = Number(lastPage) + 1;
  return pages >= end || areFree(file, { pageSize, pages, freeRoot }, pages, end);
}

function readNewestMeta(file: number): Meta | undefined {
  const first = readMeta(file, 0);
  const second = first && readMeta(file, first.pageSize);
  return second && second.transaction > first.transaction ? second : first;
}

interface Meta {
  readonly pageSize: number;
  readonly freeRoot: bigint;
  readonly lastPage: bigint;
  readonly transaction: bigint;
}

function readMeta(file: number, pageOffset: number): Meta | undefined {
  const bytes = Buffer.alloc(metaBytes);
  if (readSync(file, bytes, 0, metaBytes, pageOffset + metaOffset) !== metaBytes) return undefined;
  if (bytes.readUInt32LE(0) !== magic) return undefined;
  return {
    pageSize: bytes.readUInt32LE(24),
    freeRoot: bytes.readBigUInt64LE(64),
    lastPage: bytes.readBigUInt64LE(120),
    transaction: bytes.readBigUInt64LE(128),
  };
}
