import type { Verdict } from '../domain/finding.js';
import { limits } from '../domain/limits.js';
import type { Message } from '../domain/message.js';
import { roleClassOf } from '../domain/role.js';
import { firstScanned, withoutUnscanned } from '../domain/scan-scope.js';
import { scanMessages } from '../engine/judge/judge.js';
import type { Profile } from '../engine/judge/profile.js';
import type { Recall, RecallingMatcher } from '../engine/judge/recall.js';
import type { Overlay } from '../engine/overlay.js';
import { roleClasses } from '../engine/program.js';
import type { Scanner } from '../engine/scanner.js';
import { matchViews } from '../engine/view/match-views.js';
import type { Pool } from '../pool/pool.js';

/** A verdict with the time it took in the engine. */
export interface Inspection {
  readonly verdict: Verdict;
  readonly scanUs: number;
  /** Index of the first message that was scanned (`firstScanned`). */
  readonly scannedFrom: number;
  /** Messages that were known to be clean, and were not scanned again. */
  readonly recalled: number;
}

interface InspectOptions {
  /** Asked for where the scan has to wait, see `Pool.run`. */
  readonly abandoned?: (() => AbortSignal) | undefined;
  /** Holds the organization's own rules. */
  readonly overlay?: Overlay | undefined;
  /** See `Recall.over`; without it every message is scanned, whatever is known. */
  readonly scope?: string;
}

/** Decides where a scan runs: small input on the calling thread, large input in the pool. Same code, same answer. */
export interface Inspector {
  inspect(messages: readonly Message[], profile: Profile, options?: InspectOptions): Inspection | Promise<Inspection>;
  inspectInline(messages: readonly Message[], profile: Profile): Inspection;
}

export interface InspectorOptions {
  readonly inlineUnitsMax?: number | undefined;
  /** What is known to be clean; none where left out. */
  readonly recall?: Recall | undefined;
}

export function createInspector(
  scanner: Scanner,
  pool: () => Pool,
  { inlineUnitsMax = limits.inlineUnitsMax, recall }: InspectorOptions = {},
): Inspector {
  const recallingFor = (profile: Profile, scope: string | undefined): RecallingMatcher | undefined =>
    scope === undefined
      ? undefined
      : recall?.over(scope, (text, role) => matchViews(scanner, text, role, profile.rules));

  const scanInline = (
    messages: readonly Message[],
    profile: Profile,
    scannedFrom: number,
    overlay?: Overlay,
    recalling?: RecallingMatcher,
  ): Inspection => {
    const began = performance.now();
    const verdict = scanMessages(scanner, profile, messages, overlay, recalling?.match);
    const scanUs = Math.round((performance.now() - began) * 1_000);
    return { verdict, scanUs, scannedFrom, recalled: recalling?.recalled ?? 0 };
  };

  /** True if what there is to scan is small, though the whole is not: most of a long conversation was scanned before. */
  const isSmallBesideKnown = (
    messages: readonly Message[],
    scannedFrom: number,
    units: number,
    recalling: RecallingMatcher,
  ): boolean => {
    if (units > limits.recallUnitsMax) return false;
    let unknown = 0;
    for (let messageId = scannedFrom; messageId < messages.length; messageId++) {
      const { role, content } = messages[messageId];
      if (content.length > inlineUnitsMax) return false;
      if (!recalling.knows(content, roleClasses[roleClassOf(role)], messageId)) unknown += content.length;
      if (unknown > inlineUnitsMax) return false;
    }
    return true;
  };

  return {
    inspectInline: (messages, profile) => scanInline(messages, profile, firstScanned(profile.scanScope, messages)),
    inspect: (messages, profile, { abandoned, overlay, scope } = {}) => {
      const scannedFrom = firstScanned(profile.scanScope, messages);
      const units = unitsFrom(messages, scannedFrom);
      const recalling = recallingFor(profile, scope);
      // An overlay's own rules are for every message, known or not.
      const isSmall =
        units <= inlineUnitsMax ||
        (recalling && !overlay && isSmallBesideKnown(messages, scannedFrom, units, recalling));
      if (isSmall) return scanInline(messages, profile, scannedFrom, overlay, recalling);
      const task = {
        profile,
        // What is not scanned need not be copied to another thread.
        scans: [withoutUnscanned(messages, scannedFrom)],
        ...(overlay ? { overlay: overlay.parts } : {}),
        ...(scope === undefined ? {} : { scope }),
      };
      return pool()
        .run(task, abandoned?.())
        .then(({ verdicts: [verdict], scanUs, recalled }) => ({ verdict, scanUs, scannedFrom, recalled }));
    },
  };
}

function unitsFrom(messages: readonly Message[], first: number): number {
  let units = 0;
  for (let messageId = first; messageId < messages.length; messageId++) units += messages[messageId].content.length;
  return units;
}
