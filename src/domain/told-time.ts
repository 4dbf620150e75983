/** Whether a time, in milliseconds since epoch, is of a year of four digits: RFC 3339 has no form for others. */
export function canBeTold(ms: number): boolean {
  return ms >= firstMs && ms <= lastMs;
}

const firstMs = Date.parse('0000-01-01T00:00:00.000Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');
