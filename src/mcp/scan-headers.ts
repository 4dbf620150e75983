import type { Header } from '../api/http-terms.js';
import { scanHeaders } from '../api/scan-headers.js';
import type { ToolOutcome } from './scan-call.js';

/** Those of a REST scan; none where there was no scan. */
export function headersOfCall(outcome: ToolOutcome | undefined): readonly Header[] {
  const scan = outcome?.scan;
  return scan === undefined ? [] : scanHeaders(scan.id, scan.durationUs, scan.unrecorded);
}
