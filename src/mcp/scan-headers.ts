import type { Answer } from '../api/route.js';
import type { ToolOutcome } from './scan-call.js';

/** `X-Scan-Id` and `Server-Timing`, as on the answer of a REST scan; none where there was no scan. */
export function scanHeaders(outcome: ToolOutcome | undefined): Answer['headers'] {
  if (outcome?.scan === undefined) return [];
  return [
    ['X-Scan-Id', outcome.scan.id],
    ...(outcome.scan.unrecorded ? [['X-Scan-Recorded', 'false'] as const] : []),
    ['Server-Timing', `scan;dur=${outcome.scan.durationUs / 1_000}`],
  ];
}
