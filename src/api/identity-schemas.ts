import Type from 'typebox';
import { roles, scopes } from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import { passwordLengthMax } from '../guard/passwords.js';
import { emailLengthMax } from '../guard/users.js';
import { listMeta } from './list-page.js';
import { cursor, time, uuid } from './schemas.js';

/** The wire shapes of people, their credentials, applications, and what was done. */

const closed = { additionalProperties: false };
const nameLengthMax = 128;
const scope = Type.Enum(scopes, { type: 'string' });
const role = Type.Enum(roles, { type: 'string', description: 'What the user may do.' });
const name = (description: string) => Type.String({ minLength: 1, maxLength: nameLengthMax, description });
const profileId = Type.String({ minLength: 1, maxLength: nameLengthMax, description: 'Id of a profile.' });
const password = (description: string) => Type.String({ maxLength: passwordLengthMax, description });
const email = Type.String({ minLength: 1, maxLength: emailLengthMax, description: 'Any letter case.' });
const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });
const id = Type.String({ format: 'uuid' });
const listOf = <Item extends ReturnType<typeof Type.Object>>(item: Item) =>
  Type.Object({ data: Type.Array(item, { description: 'By time of creation.' }), meta: listMeta });

export const signInRequest = Type.Object({ email, password: password('') }, closed);

export const passwordRequest = Type.Object(
  { current_password: password(''), new_password: password('12 characters or more.') },
  closed,
);

export const sessionResponse = Type.Object({
  user: Type.Object({ id, email: Type.String(), role, profile_id: Type.String() }),
  organization: Type.Object({ id, name: Type.String() }),
  csrf_token: Type.String({ description: 'For `X-CSRF-Token` in every request but GET and HEAD.' }),
  expires_at: Type.String({ format: 'date-time', description: 'When the session ends if it is not used until then.' }),
  scopes: Type.Array(scope, { description: 'What the role of the user allows.' }),
  version: Type.String({ description: 'Of the service.' }),
});

export const sessionsEndedResponse = Type.Object({ ended: Type.Integer({ minimum: 0 }) });

export const tokenRequest = Type.Object(
  {
    name: name('For people, e.g. `laptop`.'),
    scopes: Type.Array(scope, {
      minItems: 1,
      maxItems: scopes.length,
      description: 'Some of those of the user’s role.',
    }),
    expires_at: Type.Optional(time('A time to come; without it the token does not expire.')),
    app_uuid: Type.Optional(
      uuid('The one application that the token scans for: scans need not name it, and may not name another.'),
    ),
    user_id: Type.Optional(
      uuid('For admins: the user who owns the token; that of a service user is a service key. The caller if left out.'),
    ),
  },
  closed,
);

export const tokenRecord = Type.Object({
  id,
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the token, to tell it by.' }),
  kind: Type.Enum(['pat', 'service'], { type: 'string' }),
  scopes: Type.Array(scope),
  user_id: id,
  user_email: Type.Union([Type.String(), Type.Null()], { description: 'Null where the user was removed.' }),
  app_uuid: Type.Union([Type.String(), Type.Null()], { description: 'The one application that it scans for.' }),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: timeOrNull('Null where it does not expire.'),
  revoked_at: timeOrNull('Null where it was not revoked.'),
  last_used_at: timeOrNull('To the minute; null where it was not used yet.'),
});

export const issuedTokenResponse = Type.Object({
  token: Type.String({ description: 'The token: told this once, and stored nowhere.' }),
  ...tokenRecord.properties,
});

export const tokensResponse = listOf(tokenRecord);

export const userRequest = Type.Object(
  {
    email,
    role,
    profile_id: Type.Optional(Type.String({ minLength: 1, maxLength: nameLengthMax, default: 'default' })),
    password: Type.Optional(password('12 characters or more. Without it the user cannot sign in yet.')),
    service: Type.Optional(
      Type.Boolean({ default: false, description: 'A service user owns service keys and cannot sign in.' }),
    ),
  },
  closed,
);

export const userPatch = Type.Object(
  {
    role: Type.Optional(role),
    profile_id: Type.Optional(profileId),
    password: Type.Optional(password('12 characters or more. Ends all sessions of the user.')),
  },
  closed,
);

export const userRecord = Type.Object({
  id,
  email: Type.String(),
  role,
  service: Type.Boolean(),
  can_sign_in: Type.Boolean({ description: 'Whether there is a password.' }),
  profile_id: Type.String({ description: 'Enforced where a scan names no application.' }),
  created_at: Type.String({ format: 'date-time' }),
});

export const usersResponse = listOf(userRecord);

export const applicationRequest = Type.Object(
  {
    name: name(''),
    profile_id: Type.Optional(Type.String({ minLength: 1, maxLength: nameLengthMax, default: 'default' })),
  },
  closed,
);

export const applicationPatch = Type.Object(
  {
    name: Type.Optional(name('')),
    profile_id: Type.Optional(profileId),
    active: Type.Optional(Type.Boolean({ description: 'An application that is not active is unknown to scans.' })),
  },
  closed,
);

export const applicationRecord = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The `app_uuid` of scans.' }),
  name: Type.String(),
  profile_id: Type.String(),
  active: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
});

export const applicationsResponse = listOf(applicationRecord);

export const organizationPatch = Type.Object({ name: Type.Optional(name('')) }, closed);

export const organizationResponse = Type.Object({
  id,
  name: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
});

export const auditQuery = Type.Object(
  {
    per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.perPageMax, default: 20 })),
    cursor: cursor('^[1-9][0-9]{0,14}$'),
    from: Type.Optional(time('Only acts at this time or later.')),
    to: Type.Optional(time('Only acts before this time.')),
    action: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only this, e.g. `token.create`.' })),
    actor: Type.Optional(
      Type.String({ minLength: 1, maxLength: emailLengthMax, description: 'Only acts of this user, by id or e-mail.' }),
    ),
  },
  closed,
);

const change = Type.Object({ before: Type.Optional(Type.Unknown()), after: Type.Optional(Type.Unknown()) });

const auditEntry = Type.Object({
  id: Type.String({ description: 'Counts up by one within the organization: a gap would show that an entry is gone.' }),
  at: Type.String({ format: 'date-time' }),
  actor: Type.Object({
    user_id: Type.Union([Type.String(), Type.Null()], { description: 'Null for the command.' }),
    email: Type.Union([Type.String(), Type.Null()], { description: 'At the time of the act.' }),
    via: Type.Enum(['session', 'token', 'command'], { type: 'string', description: '`command` is `merlon`.' }),
    token_id: Type.Union([Type.String(), Type.Null()], {
      description: 'Of the token that asked; null for a session, the command, and acts of before this was noted.',
    }),
  }),
  action: Type.String({ description: 'For instance `token.create`.' }),
  target: Type.Object({ kind: Type.String(), id: Type.String(), name: Type.String() }),
  changes: Type.Record(Type.String(), change, { description: 'By field; never a secret.' }),
  request_id: Type.Union([Type.String(), Type.Null()]),
});

export const auditResponse = Type.Object({
  data: Type.Array(auditEntry, { description: 'Newest first.' }),
  meta: Type.Object({
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Pass it as `cursor` to go on after this page; null on the last page.',
    }),
  }),
});
