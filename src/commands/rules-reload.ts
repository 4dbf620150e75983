import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { readService } from '../config.js';
import { systemCodeOf } from '../domain/system-error.js';
import { note, print, UsageError, visible } from './terminal.js';

export interface ReloadOptions {
  readonly url?: string;
  readonly json?: true;
}

/** `merlon rules reload`: asks a running service to load its rules anew. Gives the exit code, 1 where they are broken. */
export async function reloadRules(options: ReloadOptions): Promise<number> {
  const { url, token } = readService(options.url);
  if (token === undefined) throw new UsageError('MERLON_TOKEN must hold a token of the service with the scope admin');
  // What no header can carry would look as if nobody had answered.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError('MERLON_TOKEN is no token: it has a space, a line break or the like in it');
  const { status, text } = await post(`${url}/api/v1/rules/reload`, token).catch((error: unknown) => {
    throw new UsageError(`there is no service at ${url}: ${systemCodeOf(error, 'it does not answer')}`);
  });
  const body = parsed(text);
  if (!body) throw new UsageError(`${url} answered ${status}, and no JSON: that is not Merlon`);
  if (status === 200) {
    if (options.json) print(JSON.stringify(body));
    else print(`Reloaded: ${body.rules} rules, ${body.profiles} profiles (generation ${body.generation}).`);
    return 0;
  }
  if (options.json) print(JSON.stringify(body));
  else for (const { pointer, code, message } of body.errors ?? []) print(visible(problemLine(pointer, code, message)));
  note(body.detail ?? `the service answered ${status}`);
  return status === 422 ? 1 : 2;
}

/** As long as it takes: `fetch` gives up after five minutes, and a service may compile for ten. */
async function post(address: string, token: string): Promise<{ readonly status: number; readonly text: string }> {
  const { request } = address.startsWith('https:') ? await import('node:https') : await import('node:http');
  const asked = request(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-length': 0 },
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await readText(response) };
}

function parsed(text: string): Partial<Reloaded & Problem> | undefined {
  try {
    return JSON.parse(text) as Partial<Reloaded & Problem>;
  } catch {
    return undefined;
  }
}

function problemLine(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(' ');
}

interface Reloaded {
  readonly generation: number;
  readonly rules: number;
  readonly profiles: number;
}

interface Problem {
  readonly detail: string;
  readonly errors: readonly { readonly pointer: string; readonly code?: string; readonly message: string }[];
}
