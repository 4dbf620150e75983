import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from './service.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('npm start serves, and ends with npm', async () => {
  const folder = temporaryFolder();
  const npm = spawn('npm', ['start', '--silent', '--', '--port', '0', '--data', folder], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(createInterface({ input: npm.stdout }), 'line');
  const { event, port } = JSON.parse(String(line)) as { event: string; port: number };
  expect(event).toBe('listening');
  const isLive = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ status }) => status === 200,
      () => false,
    );
  expect(await isLive()).toBe(true);
  // Once nobody can write to its output any more: the service has ended, too, and its folder can go.
  const ended = once(npm, 'close');
  npm.kill('SIGTERM');
  await ended;
  expect(await isLive()).toBe(false);
  rmSync(folder, { recursive: true, force: true });
});
