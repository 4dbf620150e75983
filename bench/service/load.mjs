import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const source = fileURLToPath(new URL('load.c', import.meta.url));
/** The client writes over this word in every request, so that none was ever sent before: eight letters. */
export const stampWord = 'mjkqzxvb';

const compilers = ['cc', 'gcc', 'clang'];

/**
 * Compiles the client; undefined where there is no C compiler.
 * @param {string} file where the program goes
 */
export function compileLoad(file) {
  const compiled = compilers.some((name) => spawnSync(name, ['-O2', '-o', file, source, '-lm']).status === 0);
  return compiled ? file : undefined;
}

/**
 * Puts a service under load and waits for the end of it.
 * @param {string} program
 * @param {{ port: number, requests: string, connections: number, seconds: number, rate?: number, patient?: boolean }} how
 *   `rate` in arrivals a second; without it the closed loop. `patient` arrivals wait for a connection
 * @returns {Promise<{ seconds: number, ok: Answers, busy: Answers, other: Answers, dropped: number, waiting: number,
 *   broken: number }>} `ok` are the answers 200, `busy` 503
 * @typedef {{ count: number, p50ms: number, p99ms: number, p999ms: number, maxms: number }} Answers
 */
export async function load(program, { port, requests, connections, seconds, rate = 0, patient = true }) {
  const args = [port, requests, connections, seconds, rate, patient ? 1 : 0, stampWord].map(String);
  const { stdout } = await promisify(execFile)(program, args);
  return JSON.parse(stdout);
}
