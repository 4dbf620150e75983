import { isUtf8 } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { User } from '../../domain/identity.js';
import { changeUser, createUser, listUsers, removeUser, type UserChange } from '../../guard/users.js';
import { UsageError } from '../terminal.js';
import { typedUnseen } from '../typed.js';
import { administer, type Common, common, organizationOf, show, showAll, userOf } from './administer.js';

interface UserOptions extends Common {
  readonly email: string;
  readonly role: string;
  readonly org?: string;
  readonly profile: string;
  readonly service?: true;
  readonly passwordStdin?: true;
}

/** How an argument names a user. */
const whom = 'ID|EMAIL';

/** `merlon user …` */
export function addUser(user: Command): void {
  common(user.command('create').description('make a user'))
    .requiredOption('--email <ADDRESS>', 'unique e-mail address')
    .option('--role <ROLE>', 'admin, member or viewer', 'member')
    .option('--org <ID>', 'organization; the oldest when left out')
    .option('--profile <ID>', 'profile enforced where a scan names no application', 'default')
    .option('--service', 'a service user owns service keys and cannot sign in')
    .option('--password-stdin', 'read a password from standard input; at a terminal it is asked for and not shown')
    .action(async (options: UserOptions) => {
      const password = options.passwordStdin ? await readPassword('--password-stdin') : undefined;
      await administer(options, async (admin) => {
        const request = {
          organizationId: organizationOf(admin, options.org),
          email: options.email,
          role: options.role,
          profileId: options.profile,
          service: options.service === true,
          ...(password === undefined ? {} : { password }),
        };
        show(options, publicUser(await createUser(admin, request, Date.now())));
      });
    });
  common(user.command('list').description('list users'))
    .option('--org <ID>', 'only of this organization')
    .action(async (options: Common & { org?: string }) => {
      await administer(options, (admin) => {
        const users = listUsers(admin, options.org).map(publicUser);
        showAll(options, users, ['id', 'email', 'role', 'service', 'profileId', 'organizationId']);
      });
    });
  common(user.command('remove').description('remove a user and revoke the tokens'))
    .argument(`<${whom}>`)
    .action(async (given: string, options: Common) => {
      await administer(options, async (admin) => {
        const id = userOf(admin, given, whom);
        await removeUser(admin, id, Date.now());
        show(options, { id, removed: true });
      });
    });
  const change = (name: string, description: string, argument: string, to: (value: string) => UserChange) => {
    common(user.command(name).description(description))
      .argument(`<${whom}>`)
      .argument(argument)
      .action(async (given: string, value: string, options: Common) => {
        await administer(options, async (admin) => {
          const id = userOf(admin, given, whom);
          show(options, publicUser(await changeUser(admin, id, to(value), Date.now())));
        });
      });
  };
  change('profile', 'set the profile enforced where the scans name no application', '<PROFILE>', (profileId) => ({
    profileId,
  }));
  change('role', 'make the user an admin, member or viewer', '<ROLE>', (role) => ({ role }));
  common(
    user
      .command('password')
      .description('set the password, read from standard input, at a terminal unseen; ends the user’s sessions'),
  )
    .argument(`<${whom}>`)
    .action(async (given: string, options: Common) => {
      const password = await readPassword('standard input');
      await administer(options, async (admin) => {
        const id = userOf(admin, given, whom);
        await changeUser(admin, id, { password }, Date.now());
        show(options, { id, passwordSet: true });
      });
    });
}

/**
 * Typed unseen, or all that a pipe or file holds. Refuses what is no UTF-8: with other characters in the place of the ones that were
 * meant nobody could sign in.
 */
async function readPassword(argument: string): Promise<string> {
  if (process.stdin.isTTY) return typedUnseen('Password: ');
  const bytes = await buffer(process.stdin);
  if (!isUtf8(bytes)) throw new UsageError(`${argument} must be UTF-8`);
  return new TextDecoder().decode(bytes).replace(/\r?\n$/, '');
}

function publicUser({ passwordHash, ...user }: User) {
  return { ...user, canSignIn: passwordHash !== undefined };
}
