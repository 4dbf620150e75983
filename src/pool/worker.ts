import { workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { limits } from '../domain/limits.js';
import { scanMessages } from '../engine/judge/judge.js';
import { type Overlay, type OverlayParts, openOverlay } from '../engine/overlay.js';
import { decodeProgram } from '../engine/program-layout.js';
import { createScanner } from '../engine/scanner.js';
import type { PoolAnswer, PoolTask, WorkerData } from './protocol.js';

/** A pool thread: opens the shared program once, then judges what it is sent. */
const { program, profiles, engine } = workerData as WorkerData;
const scanner = createScanner(decodeProgram(program), { engine });
while (scanner.warm());
/** As many as the service keeps, so that a memory is never opened over and over: each time takes some of its scratch. */
const overlays = new LRUCache<string, Overlay>({
  max: limits.overlaysMax,
  maxSize: limits.overlayBytesMax,
  sizeCalculation: ({ bytes }) => bytes,
});
const profileById = new Map(profiles.map((profile) => [profile.id, profile]));

export default function runTask(task: PoolTask): PoolAnswer {
  const profile = profileById.get(task.profileId);
  if (!profile) throw new Error(`no profile ${task.profileId} in this pool`);
  if (task.cancelled && Atomics.load(task.cancelled, 0) !== 0) return { verdicts: [], scanUs: 0 };
  const overlay = task.overlay && overlayOf(task.overlay);
  const began = performance.now();
  const verdicts = task.scans.map((messages) => scanMessages(scanner, profile, messages, overlay));
  return { verdicts, scanUs: Math.round((performance.now() - began) * 1_000) };
}

function overlayOf(parts: OverlayParts): Overlay {
  const known = overlays.get(parts.id);
  if (known) return known;
  const overlay = openOverlay(parts, scanner.program, engine);
  overlays.set(parts.id, overlay);
  return overlay;
}
