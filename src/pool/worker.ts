import { workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { limits } from '../domain/limits.js';
import { roleClassOf } from '../domain/role.js';
import { type MessageMatcher, scanMessages } from '../engine/judge/judge.js';
import { openRecall } from '../engine/judge/recall.js';
import { type Overlay, type OverlayParts, openOverlay } from '../engine/overlay.js';
import { roleClasses } from '../engine/program.js';
import { decodeProgram } from '../engine/program-layout.js';
import { createScanner, type Scanner } from '../engine/scanner.js';
import { createSharder, type Sharder } from '../engine/shard/sharder.js';
import { ShardLostError, TextShare } from '../engine/shard/shared-text.js';
import { type FoundMatches, matchViews, warmViews } from '../engine/view/match-views.js';
import { workBehindServing } from './low-priority.js';
import { createOpenPrograms } from './open-programs.js';
import type { HelpTask, PoolAnswer, PoolTask, ScanTask, WorkerData } from './protocol.js';

/** What scans with one program need on this thread. */
interface Bench {
  readonly scanner: Scanner;
  readonly sharder: Sharder;
}

/** A pool thread: opens each shared program once, then judges what it is sent. */
const { program: firstProgram, engine, recall: recallParts } = workerData as WorkerData;
const recall = recallParts && openRecall(recallParts);
workBehindServing();
/**
 * Of the generation that was asked for last. The scans of one come before those of the next but for a few, for which the former
 * one is opened again: each that were kept would hold its program and the regexes compiled for it, 100 MB and more.
 */
const programs = createOpenPrograms();
let current = { generation: 0, bench: openBench(firstProgram) };
/** By program, whatever the generation: opening takes some of a program's memory. As many as the service keeps. */
const overlays = new LRUCache<string, Overlay>({
  max: limits.overlaysMax,
  maxSize: limits.overlayBytesMax,
  sizeCalculation: ({ bytes }) => bytes,
});

const nothing: PoolAnswer = { verdicts: [], scanUs: 0, recalled: 0 };

export default function runTask(task: PoolTask): PoolAnswer {
  const bench = benchOf(task);
  if (task.kind === 'scan') return scan(task, bench);
  help(task, bench);
  return nothing;
}

/** Regexes are compiled as they are needed: all of them are 50 MB, of which a large text opens a tenth. */
function openBench(memory: WebAssembly.Memory): Bench {
  programs.open(memory);
  const scanner = createScanner(decodeProgram(memory, true), { engine });
  warmViews(scanner);
  return { scanner, sharder: createSharder(scanner) };
}

function benchOf({ program }: PoolTask): Bench {
  const generation = program?.generation ?? 0;
  if (current.generation !== generation) {
    current = { generation, bench: openBench(program?.memory ?? firstProgram) };
  }
  return current.bench;
}

function scan({ cancelled, profile, scans, shared, scope, overlay: parts }: ScanTask, bench: Bench): PoolAnswer {
  if (cancelled && Atomics.load(cancelled, 0) !== 0) return nothing;
  const { scanner, sharder } = bench;
  const overlay = parts && overlayOf(parts, bench);
  const began = performance.now();
  const shares = new Map(shared?.map(({ messageId, text }) => [messageId, new TextShare(text)]));
  const matchAny: MessageMatcher = (text, role, messageId) => {
    const share = shares.get(messageId);
    if (!share) return matchViews(scanner, text, role, profile.rules);
    return finish(share, sharder.lead(share, role, profile.rules));
  };
  const recalling = scope === undefined ? undefined : recall?.over(scope, matchAny);
  const verdicts = scans.map((messages) => {
    const whole =
      shares.size === 0
        ? messages
        : messages.map((message, id) => ({ ...message, content: shares.get(id)?.text ?? message.content }));
    return scanMessages(scanner, profile, whole, overlay, recalling?.match ?? matchAny);
  });
  const scanUs = Math.round((performance.now() - began) * 1_000);
  return { verdicts, scanUs, recalled: recalling?.recalled ?? 0 };
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

function help({ shared, profile }: HelpTask, { sharder }: Bench): void {
  for (const { role, text } of shared) {
    const share = new TextShare(text);
    const part = sharder.help(share, roleClasses[roleClassOf(role)], profile.rules);
    while (!share.isOver && !share.isCalledBack && !part.next().done);
  }
}

function overlayOf(parts: OverlayParts, { scanner }: Bench): Overlay {
  const base = scanner.program;
  const last = overlays.get(parts.programId);
  if (last?.parts.id === parts.id && last.base === base) return last;
  const overlay = last ? last.over(parts, base) : openOverlay(parts, base, engine);
  overlays.set(parts.programId, overlay);
  return overlay;
}
