import { GuardError } from '../domain/errors.js';
import type { Principal, TokenRecord } from '../domain/identity.js';
import type { Administration } from '../guard/administration.js';
import { createToken, findToken, listTokens, revokeToken } from '../guard/token-administration.js';
import { administered } from './administered.js';
import { tokenExamples, tokenRecordExample, tokensExample } from './identity-examples.js';
import { issuedTokenResponse, tokenRecord, tokenRequest, tokensResponse } from './identity-schemas.js';
import { tokenBody } from './identity-wire.js';
import { listPage, listQuery } from './list-page.js';
import { jsonReply, type SecuredOperation } from './operation.js';
import { createQueryReader } from './query.js';
import { createChecker } from './validate.js';

/**
 * Tokens of the organization for its admins; for everybody else who is signed in, the own ones. A token that is not the
 * caller's to see is as unknown as one that never was.
 */

const path = '/api/v1/tokens';
const checkRequest = createChecker(tokenRequest, 'body');
const readQuery = createQueryReader(listQuery);
const record = { status: 200, contentType: 'application/json', schema: tokenRecord, headers: [] } as const;

/** `GET /api/v1/tokens`. */
export const listTokensOperation: SecuredOperation = {
  id: 'listTokens',
  method: 'GET',
  path,
  scope: 'admin',
  anySession: true,
  summary: 'List tokens',
  description:
    'Tokens of the organization, revoked and expired ones too; in the session of a member or viewer, the own.',
  query: listQuery,
  responses: [{ ...record, schema: tokensResponse, example: tokensExample, description: 'One page of tokens.' }],
  errors: ['invalid_input'],

  answer(context, call, principal, input) {
    const query = readQuery(input.query);
    return administered(context, call, principal, (admin) => {
      const filter = principal.role === 'admin' ? {} : { userId: principal.userId };
      return jsonReply(listPage(listTokens(admin, filter), query, (token) => bodyOf(admin, token)));
    });
  },
};

/** `POST /api/v1/tokens`. */
export const createTokenOperation: SecuredOperation = {
  id: 'createToken',
  method: 'POST',
  path,
  scope: 'admin',
  anySession: true,
  summary: 'Create a token',
  description:
    'A personal access token, or a service key for a service user. Members make tokens for themselves, viewers none. A ' +
    'token never does more than the role that its user has at the time.',
  body: { schema: tokenRequest, examples: tokenExamples },
  responses: [
    {
      ...record,
      status: 201,
      schema: issuedTokenResponse,
      example: { token: 'the token', ...tokenRecordExample },
      description: 'The token, this once, and its record.',
    },
  ],
  errors: ['invalid_input', 'forbidden_role', 'conflict'],

  answer(context, call, principal, input) {
    const body = checkRequest(input.body);
    const userId = body.user_id?.toLowerCase() ?? principal.userId;
    refuseBeyondRole(principal, userId);
    const request = {
      userId,
      name: body.name,
      scopes: body.scopes,
      ...(body.expires_at === undefined ? {} : { expiresAt: Date.parse(body.expires_at) }),
      ...(body.app_uuid === undefined ? {} : { applicationId: body.app_uuid.toLowerCase() }),
    };
    return administered(context, call, principal, async (admin, now) => {
      const issued = await createToken(admin, request, now);
      return jsonReply({ token: issued.token, ...bodyOf(admin, issued.record) }, [], 201);
    });
  },
};

/** `DELETE /api/v1/tokens/{id}`. */
export const revokeTokenOperation: SecuredOperation = {
  id: 'revokeToken',
  method: 'DELETE',
  path: `${path}/{id}`,
  parameters: { id: 'Id of the token.' },
  scope: 'admin',
  anySession: true,
  summary: 'Revoke a token',
  description: 'Ends its validity, at once and everywhere. Members and viewers revoke their own.',
  responses: [
    { ...record, example: { ...tokenRecordExample, revoked_at: '2026-02-01T08:00:00.000Z' }, description: 'Revoked.' },
  ],
  errors: ['invalid_input', 'unknown_id'],

  answer: (context, call, principal, { parameters }) =>
    administered(context, call, principal, async (admin, now) => {
      const found = findToken(admin, parameters.id);
      if (principal.role !== 'admin' && found.userId !== principal.userId) {
        throw new GuardError('unknown_id', 'The token is not known.');
      }
      return jsonReply(bodyOf(admin, await revokeToken(admin, found.id, now)));
    }),
};

function refuseBeyondRole({ role, userId }: Principal, ownerId: string): void {
  if (role === 'viewer') throw new GuardError('forbidden_role', 'The role viewer may not create tokens.');
  if (role === 'member' && ownerId !== userId) {
    throw new GuardError('forbidden_role', 'The role member may not create tokens for others.');
  }
}

function bodyOf(admin: Administration, token: TokenRecord) {
  return tokenBody(token, admin.store.users.get(token.userId)?.email);
}
