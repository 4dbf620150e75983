import { GuardError } from '../../domain/errors.js';
import { UsageError } from '../terminal.js';

/** What the commands call the fields of a use case: the option, and the argument where a command has no such option. */
const names: Readonly<Record<string, { readonly option?: string; readonly argument?: string }>> = {
  '/name': { option: 'name', argument: 'NAME' },
  '/profile_id': { option: 'profile', argument: 'PROFILE' },
  '/role': { option: 'role', argument: 'ROLE' },
  '/organization': { option: 'org', argument: 'ID' },
  '/email': { option: 'email' },
  '/password': { option: 'passwordStdin', argument: 'standard input' },
  '/user_id': { option: 'user' },
  '/app_uuid': { option: 'app' },
  '/expires_at': { option: 'expires' },
  '/scopes': { option: 'scopes' },
  '/application': { argument: 'ID' },
  '/user': { argument: 'ID|EMAIL' },
  '/token': { argument: 'ID' },
};

/** The same failure in the words of the command line, where it is one of fields; `options` are those of the command. */
export function withArguments(error: unknown, options: object): unknown {
  if (!(error instanceof GuardError) || error.fields.length === 0) return error;
  const lines = error.fields.map(({ pointer, message }) => `${argumentOf(pointer, options)} ${message}`);
  return new UsageError(lines.join('\n'));
}

function argumentOf(pointer: string, options: object): string {
  const { option, argument } = names[pointer] ?? {};
  const isOption = option !== undefined && (argument === undefined || option in options);
  if (!isOption) return argument ?? pointer;
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
