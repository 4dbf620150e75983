import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeOneRule } from './one-rule.js';
import { preloading, startTestService } from './service.js';

/*
 * A bug ends the process, for whoever supervises it to start it again; also where it is the first one of a container, which
 * gets no signal that it sends itself.
 */

/** Throws once there is a file `fail` in the data folder. */
const failing = (where: string, isFirst: boolean) => `
  import { existsSync } from 'node:fs';
  import { isMainThread, workerData } from 'node:worker_threads';
  const folder = ${where === 'the main thread' ? 'isMainThread && process.argv.at(-1)' : 'workerData?.config?.dataFolder'};
  if (folder) setInterval(() => {
    if (existsSync(folder + '/fail')) throw new Error(['a', 'secret'].join(' '));
  }, 20);
  if (${isFirst}) process.kill = () => true;`;

test.each([
  ['the main thread', false, 'SIGKILL'],
  ['another thread', false, 'SIGKILL'],
  ['the main thread', true, 'SIGABRT'],
  ['another thread', true, 'SIGABRT'],
])('a bug on %s ends the process (the first one of a container: %s)', async (where, isFirst, signal) => {
  const { env, remove } = makeOneRule();
  const service = await startTestService({ ...env, ...preloading(failing(where, isFirst)), MERLON_THREADS: '2' });
  const ended = once(service.process, 'exit');
  writeFileSync(join(service.dataFolder, 'fail'), '');
  expect(await ended).toEqual([null, signal]);
  expect(service.errors()).toContain('the process ends on an unexpected failure');
  expect(service.errors()).not.toContain('a secret');
  rmSync(service.dataFolder, { recursive: true, force: true });
  remove();
});
