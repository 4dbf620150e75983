import { createHash } from 'node:crypto';
import type { Verdict } from '../domain/finding.js';
import { type PolicyCode, policyCodes } from '../domain/policy.js';
import { gravest } from '../engine/judge/judge.js';
import { modelOf, modelOfFinding, type Profile } from '../engine/judge/profile.js';
import { decidingParts } from '../engine/learned/explain.js';
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
  readonly program: Program;
  readonly verdict: Verdict;
  /** Index of the first message that was scanned. */
  readonly scannedFrom: number;
  /** See `MessageCounts`. */
  readonly recalled: number;
  readonly policyVersion: string;
  /** See `ScanResult`. */
  readonly hasNoSecrets?: boolean;
  readonly timing: DevInfo['timing'];
}

/** The rules that a scan was judged by: those of a program, or of a program and an overlay. */
export type JudgedRules = Pick<Program, 'rules' | 'detectors'>;

/** The result of a scan with the optional parts that were asked for. */
export function toScanResult(scan: FinishedScan, rules: JudgedRules, build: BuildInfo): ScanResult {
  const { request, verdict, scannedFrom, recalled } = scan;
  const result: { -readonly [Key in keyof ScanResult]: ScanResult[Key] } = {
    scanId: scan.scanId,
    durationUs: scan.timing.queueUs + scan.timing.scanUs,
    flagged: verdict.flagged,
    messages: { scanned: request.messages.length - scannedFrom - recalled, skipped: scannedFrom, recalled },
    hits: toHits(verdict),
  };
  if (scan.hasNoSecrets) result.hasNoSecrets = true;
  if (request.payload) result.payload = toPayload(verdict.findings, request.messages, request.positionEncoding);
  if (request.breakdown) result.breakdown = toBreakdown(scan, rules);
  if (request.devInfo) result.devInfo = toDevInfo(scan, rules, build);
  return result;
}

/** Hash of the compiled rules and a profile's settings: 16 hex digits, the `policy_version` of the wire. */
export function policyVersion(profile: Profile, program: Program): string {
  const { id, settings, model, scanScope } = profile;
  // A profile from before there were scopes keeps the version that its records name.
  const scope = scanScope === 'all' ? [] : [scanScope];
  const hash = createHash('sha256').update(JSON.stringify([program.hash, id, settings, model, ...scope]));
  return hash.digest('hex').slice(0, 16);
}

/** The same where an organization's own rules were enforced beside. */
export function overlaidVersion(version: string, overlayId: string): string {
  return createHash('sha256').update(`${version} ${overlayId}`).digest('hex').slice(0, 16);
}

/** One item for every message that was scanned and every detector of an enabled policy, in that order. */
function toBreakdown(
  { request, profile, verdict, scannedFrom }: FinishedScan,
  rules: JudgedRules,
): readonly BreakdownItem[] {
  const hits = new Map<number, Set<string>>();
  for (const { messageId, policy, labels } of verdict.findings) {
    const own = hits.get(messageId) ?? new Set();
    for (const label of labels) own.add(`${policy}:${label}`);
    hits.set(messageId, own);
  }
  const enabled = new Set(policyCodes.filter((_, index) => profile.settings[index].mode !== 'off'));
  const detectors = rules.detectors
    .filter(({ policy }) => enabled.has(policy))
    .map(({ policy, label }) => ({ policy, detectorId: `${policy}:${label}` }));
  const appUuid = request.appUuid ?? null;
  const policyId = profile.id;
  // Of a thousand messages there are a quarter of a million.
  const items: BreakdownItem[] = [];
  for (let messageId = scannedFrom; messageId < request.messages.length; messageId++) {
    const own = hits.get(messageId);
    for (const { policy, detectorId } of detectors) {
      items.push({ appUuid, policyId, detectorId, policy, detected: own?.has(detectorId) ?? false, messageId });
    }
  }
  return items;
}

function toDevInfo(scan: FinishedScan, judged: JudgedRules, build: BuildInfo): DevInfo {
  const fired = new Set(scan.verdict.findings.flatMap(({ ruleIds }) => ruleIds));
  return {
    gitRevision: build.gitRevision,
    gitTimestamp: build.gitTimestamp,
    modelVersion: modelOf(scan.profile, scan.program)?.model.name ?? 'none',
    version: build.version,
    requestId: scan.request.requestId,
    scanId: scan.scanId,
    policyVersion: scan.policyVersion,
    timing: scan.timing,
    scannedFrom: scan.scannedFrom,
    recalled: scan.recalled,
    rules: judged.rules
      .filter(({ id }) => fired.has(id))
      .map(({ id, severity, references }) => ({ id, severity, references })),
    learned: toLearned(scan),
  };
}

/** Parts named for each finding of a model. */
const partsMax = 8;

function toLearned({ request, profile, program, verdict }: FinishedScan): DevInfo['learned'] {
  return verdict.findings.flatMap(({ messageId, policy, ruleIds, start, end, score, via }) => {
    const model = score === undefined ? undefined : modelOfFinding(profile, ruleIds, program)?.model;
    const head = model?.heads.findIndex((each) => each.policy === policy) ?? -1;
    if (model === undefined || score === undefined || head < 0 || via !== undefined) return [];
    const text = request.messages[messageId].content.slice(start, end);
    return [{ policy, messageId, score, parts: decidingParts(model, head, text, partsMax) }];
  });
}

function toHits({ findings, policies }: Verdict): ScanResult['hits'] {
  return policies.map((policy: PolicyCode) => {
    const own = findings.filter((finding) => finding.policy === policy);
    return { policy, count: own.length, severity: gravest(own.map(({ severity }) => severity)) };
  });
}
