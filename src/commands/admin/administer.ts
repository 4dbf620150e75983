import type { Command } from 'commander';
import { type Administration, checkReference, listOrganizations } from '../../guard/administration.js';
import { createPasswords } from '../../guard/passwords.js';
import { readProfileHeads } from '../../rules/load.js';
import { openLmdbStore } from '../../store/lmdb/lmdb-store.js';
import { existingFolders } from '../data-folder.js';
import { print, table, UsageError } from '../terminal.js';
import { withArguments } from './arguments.js';

/** Options that every command here has. */
export interface Common {
  readonly data?: string;
  readonly json?: true;
}

export function common(command: Command): Command {
  return command.option('--data <DIR>', 'data folder (MERLON_DATA, ./data)').option('--json', 'as JSON');
}

/**
 * Opens the store, also beside a running service, does the work, which is given the rules folder, and closes it. What is wrong
 * with a field is said of the argument.
 */
export async function administer(
  options: Common,
  work: (admin: Administration, rulesFolder: string) => void | Promise<void>,
): Promise<void> {
  const { dataFolder, rulesFolder } = existingFolders(options.data);
  const store = openLmdbStore(dataFolder);
  try {
    const admin: Administration = {
      store,
      get knownProfiles() {
        return readProfileHeads(rulesFolder).map(({ id }) => id);
      },
      actor: { via: 'command' },
      passwords: createPasswords(),
    };
    await work(admin, rulesFolder);
  } catch (error) {
    throw withArguments(error, options);
  } finally {
    await store.close();
  }
}

/**
 * The organization that `--org` names, or the oldest where it is left out. Throws where there is none: the store would say of
 * it that it has no rules, and whoever keeps that as a copy has an empty one.
 */
export function organizationOf(admin: Administration, id: string | undefined): string {
  if (id !== undefined) checkReference(admin, id);
  const found = id ?? listOrganizations(admin)[0]?.id;
  if (found === undefined) throw new UsageError('--org: there is no organization yet; `merlon org create` makes one');
  return found;
}

/** The id of the user whom `argument` names by id or e-mail address. Throws `UsageError` where nobody has the address. */
export function userOf(admin: Administration, given: string, argument: string): string {
  if (!given.includes('@')) return given;
  const user = admin.store.users.findByEmail(given);
  if (!user) throw new UsageError(`${argument}: there is no user ${given}`);
  return user.id;
}

/** Times as people read them: ISO 8601 in UTC. */
function stamped<T extends object>(row: T): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      key.endsWith('At') && typeof value === 'number' ? new Date(value).toISOString() : value,
    ]),
  );
}

export function show(options: Common, row: object): void {
  if (options.json) {
    print(JSON.stringify(stamped(row)));
    return;
  }
  print(table(Object.entries(stamped(row)).map(([key, value]) => [key, cell(value)])));
}

export function showAll(options: Common, rows: readonly object[], fields: readonly string[]): void {
  const stampedRows = rows.map(stamped);
  if (options.json) {
    print(JSON.stringify(stampedRows));
    return;
  }
  print(
    table([
      fields.map((field) => field.toUpperCase()),
      ...stampedRows.map((row) => fields.map((field) => cell(row[field]))),
    ]),
  );
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '-';
  return Array.isArray(value) ? value.join(',') : String(value);
}
