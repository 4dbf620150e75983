import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';

/**
 * Writes a file of a cache, whole or not at all, and keeps no more than `filesMax` with its suffix in its folder: the ones written
 * longest ago go first. The folder is the user's own and closed to others. A failure costs time, nothing else.
 */
export function keepFile(file: string, bytes: Uint8Array, suffix: string, filesMax: number): void {
  const folder = dirname(file);
  const draft = `${file}.${process.pid}.${threadId}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(draft, bytes, { mode: 0o600 });
    renameSync(draft, file);
    removeOldest(folder, suffix, filesMax);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (existsSync(draft)) rmSync(draft);
  }
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
