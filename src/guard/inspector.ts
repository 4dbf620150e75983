import type { Verdict } from '../domain/finding.js';
import { limits } from '../domain/limits.js';
import type { Message } from '../domain/message.js';
import { scanMessages } from '../engine/judge/judge.js';
import type { Profile } from '../engine/judge/profile.js';
import type { Overlay } from '../engine/overlay.js';
import type { Scanner } from '../engine/scanner.js';
import type { Pool } from '../pool/pool.js';

/** A verdict with the time it took in the engine. */
export interface Inspection {
  readonly verdict: Verdict;
  readonly scanUs: number;
}

/** Decides where a scan runs: small input on the calling thread, large input in the pool. Same code, same answer. */
export interface Inspector {
  /** `abandoned` is asked for where the scan has to wait, see `Pool.run`; `overlay` holds the organization's own rules. */
  inspect(
    messages: readonly Message[],
    profile: Profile,
    abandoned?: () => AbortSignal,
    overlay?: Overlay,
  ): Inspection | Promise<Inspection>;
  inspectInline(messages: readonly Message[], profile: Profile, overlay?: Overlay): Inspection;
}

export function createInspector(
  scanner: Scanner,
  pool: () => Pool,
  inlineUnitsMax: number = limits.inlineUnitsMax,
): Inspector {
  const inspectInline: Inspector['inspectInline'] = (messages, profile, overlay) => {
    const began = performance.now();
    const verdict = scanMessages(scanner, profile, messages, overlay);
    return { verdict, scanUs: Math.round((performance.now() - began) * 1_000) };
  };
  return {
    inspectInline,
    inspect: (messages, profile, abandoned, overlay) => {
      const units = messages.reduce((sum, { content }) => sum + content.length, 0);
      if (units <= inlineUnitsMax) return inspectInline(messages, profile, overlay);
      const task = { profile, scans: [messages], ...(overlay ? { overlay: overlay.parts } : {}) };
      return pool()
        .run(task, abandoned?.())
        .then(({ verdicts: [verdict], scanUs }) => ({ verdict, scanUs }));
    },
  };
}
