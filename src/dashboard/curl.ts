import type { Message } from './wire.js';

/** Longest body that stands in the command itself; shells and people get along with no more. */
const inlineUnitsMax = 4_000;

/** What the messages are judged by: the profile of an application, or one that is named; without either, the caller's own. */
export interface Target {
  readonly app_uuid?: string;
  readonly profile_id?: string;
}

/**
 * The command that asks the service the same; the token comes from the environment of whoever runs it. A scan cannot
 * name a profile, so that with one it is an explanation that is asked for.
 */
export function scanCurl(
  origin: string,
  messages: readonly Message[],
  target: Target = {},
  token = '$MERLON_TOKEN',
): string {
  const explains = target.profile_id !== undefined;
  const rest = { ...target, ...(explains ? {} : { payload: true }) };
  const units = messages.reduce((sum, { content }) => sum + content.length, 0);
  const given = units > inlineUnitsMax ? '@request.json' : JSON.stringify({ messages, ...rest });
  const lines = [
    `curl -sS ${origin}/api/v1/guard${explains ? '/explain' : ''}`,
    `-H "Authorization: Bearer ${token}"`,
    `-H 'Content-Type: application/json'`,
    `--data-binary ${given === '@request.json' ? given : shellQuoted(given)}`,
  ];
  const note =
    given === '@request.json' ? `# request.json holds {"messages":[…],${JSON.stringify(rest).slice(1)}\n` : '';
  return note + lines.join(' \\\n  ');
}

/** Within single quotes a shell changes nothing; what JSON allows to be escaped is, so that nothing is hidden. */
function shellQuoted(json: string): string {
  const visible = json.replace(/[^\u0020-\u007e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `'${visible.replaceAll("'", '\\u0027')}'`;
}
