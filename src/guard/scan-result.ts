import type { Verdict } from '../domain/finding.js';
import { type PolicyCode, policyCodes } from '../domain/policy.js';
import { gravest } from '../engine/judge/judge.js';
import type { Profile } from '../engine/judge/profile.js';
import type { Program } from '../engine/program.js';
import type { BuildInfo } from './build-info.js';
import type { BreakdownItem, DevInfo, ScanRequest, ScanResult } from './guard.js';
import { toPayload } from './payload.js';

/** All that a finished scan is made of. */
export interface FinishedScan {
  readonly scanId: string;
  readonly request: Pick<
    ScanRequest,
    'messages' | 'appUuid' | 'requestId' | 'positionEncoding' | 'payload' | 'breakdown' | 'devInfo'
  >;
  readonly profile: Profile;
  readonly verdict: Verdict;
  readonly policyVersion: string;
  readonly timing: DevInfo['timing'];
}

/** The result of a scan with the optional parts that were asked for. */
export function toScanResult(scan: FinishedScan, program: Program, build: BuildInfo): ScanResult {
  const { request, verdict } = scan;
  return {
    scanId: scan.scanId,
    flagged: verdict.flagged,
    ...(request.payload ? { payload: toPayload(verdict.findings, request.messages, request.positionEncoding) } : {}),
    ...(request.breakdown ? { breakdown: toBreakdown(scan, program) } : {}),
    ...(request.devInfo ? { devInfo: toDevInfo(scan, program, build) } : {}),
    hits: toHits(verdict),
  };
}

/** One item for every message and every detector of an enabled policy, in that order. */
function toBreakdown({ request, profile, verdict }: FinishedScan, program: Program): readonly BreakdownItem[] {
  const hits = new Set(
    verdict.findings.flatMap(({ messageId, policy, labels }) =>
      labels.map((label) => `${messageId} ${policy}:${label}`),
    ),
  );
  const enabled = new Set(policyCodes.filter((_, index) => profile.settings[index].mode !== 'off'));
  const detectors = program.detectors.filter(({ policy }) => enabled.has(policy));
  return request.messages.flatMap((_, messageId) =>
    detectors.map(({ policy, label }) => ({
      appUuid: request.appUuid ?? null,
      policyId: profile.id,
      detectorId: `${policy}:${label}`,
      policy,
      detected: hits.has(`${messageId} ${policy}:${label}`),
      messageId,
    })),
  );
}

function toDevInfo(scan: FinishedScan, program: Program, build: BuildInfo): DevInfo {
  const fired = new Set(scan.verdict.findings.flatMap(({ ruleIds }) => ruleIds));
  return {
    ...build,
    requestId: scan.request.requestId,
    scanId: scan.scanId,
    policyVersion: scan.policyVersion,
    timing: scan.timing,
    rules: program.rules
      .filter(({ id }) => fired.has(id))
      .map(({ id, severity, references }) => ({ id, severity, references })),
  };
}

function toHits({ findings, policies }: Verdict): ScanResult['hits'] {
  return policies.map((policy: PolicyCode) => {
    const own = findings.filter((finding) => finding.policy === policy);
    return { policy, count: own.length, severity: gravest(own.map(({ severity }) => severity)) };
  });
}
