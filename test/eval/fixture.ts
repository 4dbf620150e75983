import type { Finding } from '../../src/domain/finding.js';
import type { PolicyCode } from '../../src/domain/policy.js';
import type { Judged } from '../../src/eval/judged.js';
import { readSample, type Sample } from '../../src/eval/sample.js';

/** A labelled sample from the keys of its line. */
export function sampleOf(line: Readonly<Record<string, unknown>>): Sample {
  const sample = readSample(JSON.stringify({ id: 'x', text: 'text', label: 'benign', ...line }));
  if (typeof sample === 'string') throw new Error(sample);
  return sample;
}

/** A finding of a policy over `start` to `end`. */
export function finding(policy: PolicyCode, start: number, end: number, ruleId = `${policy}-0001`): Finding {
  return { messageId: 0, start, end, policy, labels: ['a-label'], ruleIds: [ruleId], severity: 'high' };
}

/** A sample that was flagged as the policies of the findings. */
export function judgedOf(sample: Sample, findings: readonly Finding[]): Judged {
  const policies = [...new Set(findings.map(({ policy }) => policy))].sort();
  const rules = [...new Set(findings.flatMap(({ ruleIds }) => ruleIds))].sort();
  const scores = Object.fromEntries(policies.map((policy) => [policy, 0.7]));
  return { sample, flagged: policies.length > 0, policies, scores, findings, all: findings, rules };
}
