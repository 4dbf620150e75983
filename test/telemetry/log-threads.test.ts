import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('lines of several threads stay whole, however slowly they are read', async () => {
  const script = fileURLToPath(new URL('./writing-threads.mjs', import.meta.url));
  // A pipe, as a collector's is: what Node.js makes for a child is a socket.
  const child = spawn('sh', ['-c', '"$0" "$1" 2>&1 | cat', process.execPath, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    await delay(1);
  }
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(4 * 400 * 20);
  expect(new Set(lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg))).toEqual(new Set(['a line']));
});
