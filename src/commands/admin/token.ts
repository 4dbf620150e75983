import type { Command } from 'commander';
import { type Scope, scopes, type TokenRecord } from '../../domain/identity.js';
import type { Administration } from '../../guard/administration.js';
import { createToken, listTokens, revokeToken } from '../../guard/token-administration.js';
import { generateToken } from '../../guard/tokens.js';
import { listUsers } from '../../guard/users.js';
import { isDay } from '../day.js';
import { note, print, UsageError } from '../terminal.js';
import { administer, type Common, common, show, showAll, userOf } from './administer.js';

interface TokenOptions extends Common {
  readonly name: string;
  readonly user?: string;
  readonly scopes?: string;
  readonly expires?: string;
  readonly app?: string;
}

/** `merlon token …` */
export function addToken(token: Command): void {
  common(token.command('create').description('make a token; it is shown once'))
    .requiredOption('--name <NAME>', 'what it is for')
    .option('--user <ID|EMAIL>', 'owner; the oldest admin when left out')
    .option('--scopes <SCOPES>', `comma-separated; all of ${scopes.join(',')} but admin when left out`)
    .option('--expires <TIME>', 'ISO 8601 time, or a number of days such as 90d; never when left out')
    .option('--app <ID>', 'the one application that it scans for; without it the scans say which')
    .action(async (options: TokenOptions) => {
      const expiresAt = parseExpiry(options.expires);
      await administer(options, async (admin) => {
        const request = {
          userId: options.user === undefined ? oldestAdmin(admin) : userOf(admin, options.user, '--user'),
          name: options.name,
          scopes: parseScopes(options.scopes),
          ...(expiresAt === undefined ? {} : { expiresAt }),
          ...(options.app === undefined ? {} : { applicationId: options.app }),
        };
        const issued = await createToken(admin, request, Date.now());
        if (!options.json) note('This token is shown once:');
        show(options, { token: issued.token, ...publicToken(issued.record) });
      });
    });
  common(token.command('list').description('list tokens, revoked and expired ones too'))
    .option('--org <ID>', 'only of this organization')
    .action(async (options: Common & { org?: string }) => {
      await administer(options, (admin) => {
        const filter = options.org === undefined ? {} : { organizationId: options.org };
        const fields = ['id', 'prefix', 'name', 'kind', 'scopes', 'expiresAt', 'revokedAt', 'lastUsedAt'] as const;
        showAll(options, listTokens(admin, filter).map(publicToken), fields);
      });
    });
  common(token.command('revoke').description('end the validity of a token, at once'))
    .argument('<ID>')
    .action(async (id: string, options: Common) => {
      await administer(options, async (admin) => {
        show(options, publicToken(await revokeToken(admin, id, Date.now())));
      });
    });
  token
    .command('generate')
    .description('print a well-formed token without storing it, for MERLON_BOOTSTRAP_TOKEN')
    .action(() => print(generateToken('pat')));
}

function oldestAdmin(admin: Administration): string {
  const found = listUsers(admin).find(({ role }) => role === 'admin')?.id;
  if (found === undefined) throw new UsageError('--user: there is no admin; name the owner');
  return found;
}

function parseScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return scopes.filter((scope) => scope !== 'admin');
  return text.split(',').map((part) => {
    const scope = scopes.find((known) => known === part.trim());
    if (!scope) throw new UsageError(`--scopes: there is no scope "${part.trim()}"; there are ${scopes.join(', ')}`);
    return scope;
  });
}

function parseExpiry(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const days = /^(\d{1,5})d$/.exec(text);
  const time = days
    ? Date.now() + Number(days[1]) * 24 * 60 * 60 * 1_000
    : isDay(text.split('T', 1)[0])
      ? Date.parse(text)
      : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError(`--expires: "${text}" is neither an ISO 8601 time nor a number of days`);
  return time;
}

function publicToken({ hash: _, ...token }: TokenRecord) {
  return token;
}
