import { workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { limits } from '../domain/limits.js';
import { scanMessages } from '../engine/judge/judge.js';
import { type Overlay, type OverlayParts, openOverlay } from '../engine/overlay.js';
import { roleClasses, roleClassOf } from '../engine/program.js';
import { decodeProgram } from '../engine/program-layout.js';
import { createScanner } from '../engine/scanner.js';
import { createSharder, type Sharder } from '../engine/shard/sharder.js';
import { ShardLostError, TextShare } from '../engine/shard/shared-text.js';
import { type FoundMatches, matchViews, warmViews } from '../engine/view/match-views.js';
import type { HelpTask, PoolAnswer, PoolTask, ScanTask, WorkerData } from './protocol.js';

/** A pool thread: opens the shared program once, then judges what it is sent. */
const { program, engine } = workerData as WorkerData;
const scanner = createScanner(decodeProgram(program), { engine });
while (scanner.warm());
warmViews(scanner);
/** As many as the service keeps, so that a memory is never opened over and over: each time takes some of its scratch. */
const overlays = new LRUCache<string, Overlay>({
  max: limits.overlaysMax,
  maxSize: limits.overlayBytesMax,
  sizeCalculation: ({ bytes }) => bytes,
});
let sharder: Sharder | undefined;

const nothing: PoolAnswer = { verdicts: [], scanUs: 0 };

export default function runTask(task: PoolTask): PoolAnswer {
  sharder ??= createSharder(scanner);
  if (task.kind === 'scan') return scan(task, sharder);
  help(task, sharder);
  return nothing;
}

function scan({ cancelled, profile, scans, shared, overlay: parts }: ScanTask, { lead }: Sharder): PoolAnswer {
  if (cancelled && Atomics.load(cancelled, 0) !== 0) return nothing;
  const overlay = parts && overlayOf(parts);
  const began = performance.now();
  const shares = new Map(shared?.map(({ messageId, text }) => [messageId, new TextShare(text)]));
  const verdicts = scans.map((messages) => {
    if (shares.size === 0) return scanMessages(scanner, profile, messages, overlay);
    const whole = messages.map((message, id) => ({ ...message, content: shares.get(id)?.text ?? message.content }));
    return scanMessages(scanner, profile, whole, overlay, (text, role, messageId) => {
      const share = shares.get(messageId);
      if (!share) return matchViews(scanner, text, role, profile.rules);
      return finish(share, lead(share, role, profile.rules));
    });
  });
  return { verdicts, scanUs: Math.round((performance.now() - began) * 1_000) };
}

/** Leads to the end; not beyond the loss of a helper. */
function finish(share: TextShare, part: Generator<void, FoundMatches>): FoundMatches {
  for (;;) {
    if (share.isOver) throw new ShardLostError();
    const step = part.next();
    if (!step.done) continue;
    share.end();
    return step.value;
  }
}

function help({ shared, profile }: HelpTask, sharder: Sharder): void {
  for (const { role, text } of shared) {
    const share = new TextShare(text);
    const part = sharder.help(share, roleClasses[roleClassOf(role)], profile.rules);
    while (!share.isOver && !share.isCalledBack && !part.next().done);
  }
}

function overlayOf(parts: OverlayParts): Overlay {
  const known = overlays.get(parts.id);
  if (known) return known;
  const overlay = openOverlay(parts, scanner.program, engine);
  overlays.set(parts.id, overlay);
  return overlay;
}
