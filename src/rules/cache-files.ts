import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { makeFolder } from '../domain/make-folder.js';

/**
 * Writes a file of a cache, whole or not at all, and keeps no more than `filesMax` with its suffix in its folder: the ones written
 * longest ago go first. The folder is the user's own and closed to others. A failure costs time, nothing else.
 */
export function keepFile(file: string, bytes: Uint8Array, suffix: string, filesMax: number): void {
  const folder = dirname(file);
  const draft = `${file}.${process.pid}.${threadId}`;
  try {
    makeFolder(folder, 0o700);
    writeFileSync(draft, bytes, { mode: 0o600 });
    renameSync(draft, file);
    removeOldest(folder, suffix, filesMax);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (existsSync(draft)) rmSync(draft);
  }
}

const digestBytes = 32;

/** The same behind its SHA-256, for what nobody else would find damaged. */
export function keepChecked(file: string, bytes: Uint8Array, suffix: string, filesMax: number): void {
  keepFile(file, Buffer.concat([digestOf(bytes), bytes]), suffix, filesMax);
}

/** What `keepChecked` wrote; undefined where the file is missing, closed or damaged. */
export function readChecked(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const kept = bytes.subarray(digestBytes);
    return digestOf(kept).equals(bytes.subarray(0, digestBytes)) ? kept : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** True of what a missing, closed or full folder throws. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code);
}

function removeOldest(folder: string, suffix: string, filesMax: number): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => ({ path: join(folder, name), usedAt: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.usedAt - a.usedAt);
  for (const { path } of files.slice(filesMax)) rmSync(path, { force: true });
}
