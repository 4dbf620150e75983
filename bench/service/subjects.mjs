import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { subjects } from './cases.mjs';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const serversFile = fileURLToPath(new URL('servers.mjs', import.meta.url));
const rivals = new URL('../rivals/node_modules/', import.meta.url);
/** As `npm start` has them. */
const nodeFlags = ['--max-semi-space-size=4'];
const settings = readFileSync(new URL('../../dist/config.js', import.meta.url), 'utf8');

/**
 * Why a subject cannot be measured here; undefined where it can.
 * @param {{ environment?: Readonly<Record<string, string>>, rival?: string }} subject
 */
export function absence({ environment = {}, rival }) {
  if (rival !== undefined && !existsSync(new URL(`${rival}/`, rivals))) return `${rival} is not installed`;
  const unknown = Object.keys(environment).find((name) => !settings.includes(name));
  return unknown && `this build has no ${unknown}`;
}

/**
 * Starts subjects when they are first asked for, each in a process and with a data folder of its own.
 * @param {string} folder
 * @param {string} token
 */
export function createSubjects(folder, token) {
  const running = new Map();
  const start = async (name) => {
    const { server, environment = {} } = subjects[name];
    const data = join(folder, name.replaceAll(/\W+/g, '-'));
    const args = server ? [serversFile, server, data] : [...nodeFlags, cli, 'serve', '--port', '0', '--data', data];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, MERLON_BOOTSTRAP_TOKEN: token, ...environment },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const line = await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${name} ended with ${code} before it listened`))),
    ]);
    return { child, port: JSON.parse(line[0]).port };
  };
  return {
    get: (name) => {
      if (!running.has(name)) running.set(name, start(name));
      return running.get(name);
    },
    close: async () => {
      for (const started of running.values()) {
        const { child } = await started;
        child.kill('SIGTERM');
        // An echo has nothing to drain and no handler for the signal; a service gets the time that it takes.
        await once(child, 'exit');
      }
    },
  };
}

/** Processor time of a process, all its threads, in microseconds, in steps of a clock tick (10 ms on Linux). */
export function cpuUs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is a name in parentheses that may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
