// Scan records as a service writes them, for the benchmarks of the store.

const hex = (value, width) => value.toString(16).padStart(width, '0');

/** The applications that records name. */
export const apps = Array.from({ length: 8 }, (_, i) => `aaaaaaaa-0000-4000-8000-${hex(i, 12)}`);
const match = { messageId: 0, start: 4, end: 36, labels: ['instruction-override'], severity: 'high' };

/** The record `serial` of an organization, written at `ms`: eight applications, forty rules, one in `oneInFlagged` flagged. */
export function scanRecord(organizationId, serial, ms, { projects = 20, oneInFlagged = 10 } = {}) {
  const flagged = serial % oneInFlagged === 0;
  return {
    id: `scan_${hex(ms, 12)}7${hex(Math.floor(serial / 2 ** 20) & 0xfff, 3)}8${hex(serial, 15)}`,
    organizationId,
    createdAt: ms,
    flagged,
    projectId: `project-${serial % projects}`,
    appUuid: serial % 3 === 0 ? null : apps[serial % 8],
    source: 'rest',
    requestId: `00000000-0000-4000-8000-${hex(serial, 12)}`,
    policyVersion: '5d41402abc4b2a76',
    durationUs: 10 + ((serial * 7919) % 400),
    messageLengths: [500],
    scannedFrom: 0,
    matchesTotal: flagged ? 1 : 0,
    detectors: flagged ? [serial % 1_000 === 0 ? 'LLM05' : 'LLM01'] : [],
    matches: flagged ? [{ ...match, policy: 'LLM01', ruleIds: [`LLM01-${String(serial % 40).padStart(4, '0')}`] }] : [],
  };
}
