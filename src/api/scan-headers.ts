import type { Header } from './http-terms.js';

/** Headers of an answer that tells of a scan, over REST and MCP. */
export function scanHeaders(scanId: string, durationUs: number, isUnrecorded: boolean): readonly Header[] {
  const id: Header = ['X-Scan-Id', scanId];
  const timing: Header = ['Server-Timing', `scan;dur=${durationUs / 1_000}`];
  return isUnrecorded ? [id, unrecorded, timing] : [id, timing];
}

const unrecorded: Header = ['X-Scan-Recorded', 'false'];
