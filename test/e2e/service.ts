import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { limits } from '../../src/domain/limits.js';
import { generateToken } from '../../src/guard/tokens.js';

/** The built command. */
export const cliFile = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** A real service in a process of its own, on a free port and a data folder of its own. */
export interface TestService {
  readonly url: string;
  readonly port: number;
  /** Valid token with every scope. */
  readonly token: string;
  readonly dataFolder: string;
  readonly process: ChildProcess;
  /** Everything that was written to standard error so far. */
  errors(): string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** `POST /api/v1/guard` with the bootstrap token. */
  scan(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** SIGTERM; gives the exit code. */
  stop(): Promise<number | null>;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'merlon-'));
}

export async function startTestService(
  env: Readonly<Record<string, string>> = {},
  dataFolder = temporaryFolder(),
): Promise<TestService> {
  const token = env.MERLON_BOOTSTRAP_TOKEN ?? generateToken('pat');
  const child = spawn(process.execPath, [cliFile, 'serve', '--port', '0', '--data', dataFolder], {
    env: { ...process.env, MERLON_BOOTSTRAP_TOKEN: token, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the service ended with ${code}: ${errors}`);
    }),
  ]);
  const { port } = JSON.parse(first) as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const service: TestService = {
    url,
    port,
    token,
    dataFolder,
    process: child,
    errors: () => errors,
    fetch: (path, init = {}) => {
      const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string> | undefined) };
      return fetch(`${url}${path}`, { ...init, headers });
    },
    scan: (body, headers = {}) =>
      service.fetch('/api/v1/guard', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    stop: async () => {
      if (child.exitCode !== null) return child.exitCode;
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      return code;
    },
  };
  return service;
}

export async function removeService(service: TestService): Promise<void> {
  await service.stop();
  rmSync(service.dataFolder, { recursive: true, force: true });
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandOptions {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** A full disk that needs no mount and no root: the system refuses every write behind this offset of a file. */
  readonly fileBytesMax?: number;
}

/** Runs the built `merlon` command to its end. */
export function merlon(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  // POSIX: `ulimit -f` counts blocks of 512 bytes.
  const limited = ['/bin/sh', '-c', `ulimit -f ${Math.floor((options.fileBytesMax ?? 0) / 512)}; exec "$@"`, 'sh'];
  const node = [process.execPath, cliFile, ...args];
  const [command, ...words] = options.fileBytesMax === undefined ? node : [...limited, ...node];
  return new Promise((resolve) => {
    const child = execFile(
      command,
      words,
      { env: { ...process.env, ...options.env }, maxBuffer: 256 * 1024 * 1024 },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr });
      },
    );
    child.stdin?.end(options.input ?? '');
  });
}

/** The setting by which Node runs a script of its own before the command. */
export function preloading(script: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

/** Such a script: standard error is a terminal, and the clock is always late enough for another drawing of a bar. */
export const movedClock = `
  process.stderr.isTTY = true;
  const now = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => now() + (ahead += 200);`;

/** Such a script: for the process, an hour has passed once there is a file of this path. */
export const hourLater = (path: string) => `
  import { existsSync } from 'node:fs';
  const [{ now }, { hrtime }] = [Date, process];
  const passed = () => (existsSync(${JSON.stringify(path)}) ? 3_600 : 0);
  Date.now = () => now() + passed() * 1_000;
  process.hrtime = Object.assign(() => {
    const [seconds, nanoseconds] = hrtime();
    return [seconds + passed(), nanoseconds];
  }, hrtime);`;

/** Such a script: scans, rules that are compiled, and records that are waited for may take ten times as long, for tests that are not about that. */
export const patience = `
  import { syncBuiltinESMExports } from 'node:module';
  import timers from 'node:timers/promises';
  const [{ setTimeout }, { timeout }] = [timers, AbortSignal];
  timers.setTimeout = (ms, ...more) => setTimeout(ms === ${limits.recordConfirmMs} ? 10 * ms : ms, ...more);
  syncBuiltinESMExports();
  AbortSignal.timeout = (ms) => timeout(10 * ms);`;
