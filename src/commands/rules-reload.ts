import { readService } from '../config.js';
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
  const response = await fetch(`${url}/api/v1/rules/reload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  }).catch((error: unknown) => {
    throw new UsageError(`there is no service at ${url}: ${reasonOf(error)}`);
  });
  const body = (await response.json().catch(() => undefined)) as Partial<Reloaded & Problem> | undefined;
  if (!body) throw new UsageError(`${url} answered ${response.status}, and no JSON: that is not Merlon`);
  if (response.ok) {
    if (options.json) print(JSON.stringify(body));
    else print(`Reloaded: ${body.rules} rules, ${body.profiles} profiles (generation ${body.generation}).`);
    return 0;
  }
  if (options.json) print(JSON.stringify(body));
  else for (const { pointer, code, message } of body.errors ?? []) print(visible(problemLine(pointer, code, message)));
  note(body.detail ?? `the service answered ${response.status}`);
  return response.status === 422 ? 1 : 2;
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

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'it does not answer';
}
