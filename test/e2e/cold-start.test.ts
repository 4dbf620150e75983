import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeOneRule, type OneRule } from './one-rule.js';
import { cliFile, preloading, removeService, startTestService, type TestService } from './service.js';

/** A start whose rules were never compiled before: they are compiled on a thread that ends with its memory. */

let cache: string;
let rules: OneRule;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'merlon-cold-'));
  rules = makeOneRule();
});
afterEach(() => {
  rules.remove();
  rmSync(cache, { recursive: true, force: true });
});

/** Whether a process has a handler for the signal of this number. */
function catches(pid: number | undefined, signal: number): boolean {
  const [, mask = '0'] = /^SigCgt:\s*([\da-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return ((BigInt(`0x${mask}`) >> BigInt(signal - 1)) & 1n) === 1n;
}

const findings = async (service: TestService, content: string) => {
  const response = await service.scan({ messages: [{ role: 'user', content }] });
  expect(response.status).toBe(200);
  return ((await response.json()) as { flagged: boolean }).flagged;
};

/** Scripts by which a start waits at a point of it for `goOn`, however late this process gets its turn: where rules are compiled, or where signals are heard first. */
const waitsWhere = {
  compiling: 'if (!isMainThread) wait();',
  loading: `
    const { on } = process;
    if (isMainThread) process.on = (name, listener) => {
      on.call(process, name, listener);
      if (name === 'SIGHUP') wait(process.on = on);
      return process;
    };`,
};
const waiting = (where: keyof typeof waitsWhere) =>
  preloading(`
    import { existsSync } from 'node:fs';
    import { isMainThread } from 'node:worker_threads';
    const never = new Int32Array(new SharedArrayBuffer(4));
    const wait = () => {
      while (!existsSync(${JSON.stringify(join(cache, 'go'))})) Atomics.wait(never, 0, 0, 10);
    };
    ${waitsWhere[where]}`);
const goOn = () => writeFileSync(join(cache, 'go'), '');

/** A service that is being started, with what it has logged by now. */
function spawnService(where: keyof typeof waitsWhere) {
  const args = [cliFile, 'serve', '--port', '0', '--data', join(cache, 'data')];
  const env = { ...process.env, ...rules.env, ...waiting(where), MERLON_CACHE: cache };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const started = { child, ended: once(child, 'exit'), log: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    started.log += text;
  });
  return started;
}

describe('a start without compiled rules', () => {
  it.each([
    ['and with a cache leaves them there', () => cache, 1],
    ['and without a cache serves all the same', () => 'off', 0],
  ])('%s', async (_, cacheOf, programs) => {
    const service = await startTestService({ ...rules.env, MERLON_CACHE: cacheOf() });
    expect(await findings(service, 'two words')).toBe(true);
    expect(await findings(service, 'another text')).toBe(false);
    expect(readdirSync(cache).filter((name) => name.endsWith('.program'))).toHaveLength(programs);
    await removeService(service);
  });

  it('is not ended by SIGHUP, which reloads the rules once it listens', async () => {
    const service = spawnService('compiling');
    service.child.stderr.once('data', () => service.child.kill('SIGHUP'));
    await expect.poll(() => service.log).toMatch(/compiling(.|\n)*asked to reload/);
    goOn();
    await expect.poll(() => service.log).toMatch(/compiling(.|\n)*asked to reload(.|\n)*listening(.|\n)*were reloaded/);
    service.child.kill('SIGTERM');
    expect(await service.ended).toEqual([0, null]);
  });

  it('keeps what comes while its code is still being loaded: SIGHUP does not end it', async () => {
    const service = spawnService('loading');
    await expect.poll(() => catches(service.child.pid, 1)).toBe(true);
    expect(service.log, 'so early that nothing is logged').toBe('');
    service.child.kill('SIGHUP');
    goOn();
    await expect.poll(() => service.log).toMatch(/asked to reload(.|\n)*listening(.|\n)*were reloaded/);
    service.child.kill('SIGTERM');
    expect(await service.ended).toEqual([0, null]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends at %s by itself, which the first process of a container has to',
    async (signal) => {
      const args = [cliFile, 'serve', '--port', '0', '--data', join(cache, 'data')];
      const env = { ...process.env, ...rules.env, ...waiting('compiling'), MERLON_CACHE: cache };
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = once(child, 'exit');
      let written = '';
      child.stdout.on('data', (text: Buffer) => {
        written += text;
      });
      child.stderr.on('data', (text: Buffer) => {
        if (!written.includes('compiling')) child.kill(signal);
        written += text;
      });
      expect(await ended).toEqual([0, null]);
      expect(written).toMatch(/compiling(.|\n)*asked to stop before the service could listen/);
      expect(written).not.toContain('password');
    },
  );

  it('names every error of broken rules with its place', () => {
    rules.writePack('LLM01-0001', '(two words');
    const env = { ...process.env, ...rules.env, MERLON_CACHE: cache };
    const { status, stderr } = spawnSync(
      process.execPath,
      [cliFile, 'serve', '--port', '0', '--data', join(cache, 'data')],
      {
        env,
        encoding: 'utf8',
      },
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/LLM01-test\/words\.yaml:\d+:\d+ E201 LLM01-0001: /);
  });
});
