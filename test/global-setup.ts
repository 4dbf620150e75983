import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp } from '../scripts/setup.mjs';

/** Temporary folders lie in memory where there is room. In containers there are often 64 MB, which is none. */
const memoryFolder = '/dev/shm';
const roomBytesMin = 2 * 1_024 ** 3;

/**
 * Workers and the command are tested as built: the build is made fresh before any test runs. Stores wait for the disk at
 * each commit, and no test cuts the power: what is killed here are processes, whose files stay.
 */
export default function prepare(): () => void {
  setUp();
  const folder = mkdtempSync(join(hasRoom(memoryFolder) ? memoryFolder : tmpdir(), 'merlon-tests-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= roomBytesMin;
  } catch {
    return false;
  }
}
