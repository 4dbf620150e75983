import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { systemClock } from '../../src/telemetry/clock.js';
import { createOtelTracer } from '../../src/telemetry/otel.js';

test('a span that does not fit into the queue is counted as lost; each of the others arrives', async () => {
  let received = 0;
  const collector = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      received += body.split('"spanId"').length - 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    collector.listen(0, '127.0.0.1', resolve);
  });
  let lost = 0;
  const tracer = createOtelTracer({
    url: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`,
    serviceName: 'test',
    version: '0',
    ratio: 1,
    clock: systemClock,
    lost: (count) => {
      lost += count;
    },
  });
  // In one turn of the event loop, so that the first batch cannot be answered meanwhile.
  const begun = 3 * limits.traceQueueMax;
  for (let count = 0; count < begun; count++) {
    tracer
      .begin(undefined, systemClock.nowUs())
      ?.end({ method: 'GET', route: '/', requestId: '1', outcome: 200, scanId: undefined });
  }
  expect(lost).toBeGreaterThan(limits.traceQueueMax);
  await tracer.close();
  collector.close();
  expect(received + lost).toBe(begun);
});
