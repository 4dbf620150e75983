/** A pack with one rule and these patterns, each a YAML mapping on one line; its examples are of no use. */
export function packText(patterns: readonly string[]): string {
  return `policy: LLM01
rules:
  - id: LLM01-0001
    label: test-label
    title: A title
    severity: high
    score: 0.7
    patterns:
${patterns.map((pattern) => `      - ${pattern}\n`).join('')}    why: because
    misses: much
    references: [https://example.org/]
    examples: { match: [a, b], clean: [c, d], near: [e] }
`;
}
