import { matchBody } from '../api/wire.js';
import type { ScanResult } from '../guard/guard.js';
import type { ScanOutput } from './schemas.js';

/** The result of a tool call before any protocol library has touched it, in the order in which they write it. */
export interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly structuredContent?: ScanOutput;
  readonly isError?: true;
}

/** What a server of either library calls when the tool is called. Throws what the library's answer must not tell. */
export type RunTool = (input: unknown) => Promise<ToolResult>;

/** A verdict: the same JSON as text, for clients that know no structured content, and as structured content. */
export function verdictResult(result: ScanResult): ToolResult {
  const structuredContent = scanOutputOf(result);
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

/** A mistake that the model can mend, in words. No verdict, hence no structured content. */
export function mistakeResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function scanOutputOf({ flagged, payload, breakdown, devInfo, hits }: ScanResult): ScanOutput {
  return {
    flagged,
    ...(payload === undefined ? {} : { payload: payload.map(matchBody) }),
    ...(breakdown === undefined
      ? {}
      : { breakdown: Object.fromEntries(hits.map(({ policy, count, severity }) => [policy, { count, severity }])) }),
    ...(devInfo === undefined
      ? {}
      : {
          dev_info: {
            request_id: devInfo.requestId,
            policy_version: devInfo.policyVersion,
            model_version: devInfo.modelVersion,
            scan_id: devInfo.scanId,
            scanned_from: devInfo.scannedFrom,
            recalled: devInfo.recalled,
          },
        }),
  };
}
