import { afterEach, expect, test } from 'vitest';
import { preloading, removeService, startTestService, type TestService } from './service.js';

/** Verdicts do not wait for whoever reads the log, and do not end with it. */

let service: TestService;
afterEach(() => removeService(service));

const call = (words: number) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'scan_with_guard',
    arguments: { messages: Array(words).fill({ content: 'A pleasant walk. '.repeat(5) }) },
  },
});
/** The lowest free descriptor is the next one's. */
const fullDisk = `import { closeSync, openSync } from 'node:fs'; closeSync(2); openSync('/dev/full', 'w');`;
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

test('a reader of the log that stalls takes lines and no verdicts; what is lost is told', async () => {
  service = await startTestService();
  service.process.stderr?.pause();
  const ask = () => service.fetch('/mcp/guard', { method: 'POST', headers, body: JSON.stringify(call(100)) });
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(Array.from({ length: 16 }, async () => (await ask()).status));
    expect(new Set(answers)).toEqual(new Set([200]));
  }
  expect((await service.fetch('/livez')).status).toBe(200);
  service.process.stderr?.resume();
  await expect.poll(async () => ((await ask()).status, service.errors())).toContain('log lines were lost');
  const log = service.errors();
  // What a first run says to people stands before the first call.
  const lines = log.slice(log.indexOf('\n{"level"'), log.lastIndexOf('\n')).trim().split('\n');
  expect(lines.length).toBeGreaterThan(10);
  const broken = lines.filter((line) => {
    try {
      return !JSON.parse(line).msg;
    } catch {
      return true;
    }
  });
  expect(broken.length, 'the one that was being written').toBeLessThanOrEqual(1);
});

test('a full disk under the log takes nothing but lines', async () => {
  service = await startTestService(preloading(fullDisk));
  for (let round = 0; round < 5; round++) {
    const answer = await service.fetch('/mcp/guard', { method: 'POST', headers, body: JSON.stringify(call(1)) });
    expect(answer.status).toBe(200);
  }
  expect(await service.stop()).toBe(0);
});
