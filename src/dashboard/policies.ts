import type { PolicyCode } from './wire.js';

/** The policies with the names that people read, in order of code. */
export const policyNames: Readonly<Record<PolicyCode, string>> = {
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

export const policyCodes = Object.keys(policyNames).filter(isPolicyCode);

function isPolicyCode(text: string): text is PolicyCode {
  return Object.hasOwn(policyNames, text);
}
