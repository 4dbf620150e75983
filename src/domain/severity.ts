/** Severities from mildest to gravest; the position in this list orders them. */
export const severities = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];
