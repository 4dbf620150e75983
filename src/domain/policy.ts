/** The ten risk categories of the OWASP GenAI Top 10, edition 2025 (https://genai.owasp.org/llm-top-10/). */
export const policyCodes = [
  'LLM01',
  'LLM02',
  'LLM03',
  'LLM04',
  'LLM05',
  'LLM06',
  'LLM07',
  'LLM08',
  'LLM09',
  'LLM10',
] as const;

export type PolicyCode = (typeof policyCodes)[number];

export interface Policy {
  readonly code: PolicyCode;
  /** Title as people read it, e.g. `Prompt Injection`. */
  readonly name: string;
  /** Lowercase words joined by underscores, e.g. `prompt_injection`. */
  readonly policyName: string;
}

const names: Record<PolicyCode, string> = {
  LLM01: 'Prompt Injection',
  LLM02: 'Sensitive Information Disclosure',
  LLM03: 'Supply Chain',
  LLM04: 'Data and Model Poisoning',
  LLM05: 'Improper Output Handling',
  LLM06: 'Excessive Agency',
  LLM07: 'System Prompt Leakage',
  LLM08: 'Vector and Embedding Weaknesses',
  LLM09: 'Misinformation',
  LLM10: 'Unbounded Consumption',
};

/** All policies in order of their code; a policy's position is its index in masks and threshold tables. */
export const policies: readonly Policy[] = policyCodes.map((code) => ({
  code,
  name: names[code],
  policyName: names[code].toLowerCase().replaceAll(' ', '_'),
}));

/** Key of a policy in `GET /api/v1/policies`, e.g. `LLM01__prompt_injection`. */
export function policyKey(policy: Policy): string {
  return `${policy.code}__${policy.policyName}`;
}

export function isPolicyCode(text: string): text is PolicyCode {
  return (policyCodes as readonly string[]).includes(text);
}

/**
 * How a profile treats a policy: `enforce` lets it flag a scan, `monitor` reports its matches without
 * flagging, `off` leaves it out altogether. A policy is *enabled* when it is not off.
 */
export const policyModes = ['enforce', 'monitor', 'off'] as const;
export type PolicyMode = (typeof policyModes)[number];
