import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardBody, guardText } from '../../src/api/wire.js';
import type { ScanResult } from '../../src/guard/guard.js';

const match = fc.record({
  start: fc.nat(),
  end: fc.nat(),
  text: fc.string({ unit: 'binary' }),
  policy: fc.constantFrom('LLM01' as const, 'LLM02' as const),
  labels: fc.array(fc.string()),
  messageId: fc.nat(),
});
/** Of one scan: one application, one profile, and a detector has one policy. */
const breakdown = fc
  .record({ appUuid: fc.option(fc.uuid()), policyId: fc.string() })
  .chain((scan) =>
    fc.array(
      fc.record({
        ...{ appUuid: fc.constant(scan.appUuid), policyId: fc.constant(scan.policyId) },
        detectorId: fc.string(),
        detected: fc.boolean(),
        messageId: fc.nat(),
      }),
    ),
  )
  .map((items) =>
    items.map((item) => ({
      ...item,
      policy: item.detectorId.length % 2 === 0 ? ('LLM01' as const) : ('LLM10' as const),
    })),
  );
const result: fc.Arbitrary<ScanResult> = fc.record(
  {
    scanId: fc.string(),
    durationUs: fc.nat(),
    flagged: fc.boolean(),
    payload: fc.array(match),
    breakdown,
    hits: fc.constant([]),
    messages: fc.constant({ scanned: 1, recalled: 0, skipped: 0 }),
  },
  { requiredKeys: ['scanId', 'durationUs', 'flagged', 'hits', 'messages'] },
);

test('the text of a scan is that of its body, whatever was asked for', () => {
  fc.assert(
    fc.property(result, (each) => {
      expect(guardText(each)).toBe(JSON.stringify(guardBody(each)));
    }),
  );
});
