import { changeUser, createUser, listUsers, removeUser } from '../guard/users.js';
import { administered } from './administered.js';
import { userExamples, userPatchExamples, userRecordExample, usersExample } from './identity-examples.js';
import { userPatch, userRecord, userRequest, usersResponse } from './identity-schemas.js';
import { userBody } from './identity-wire.js';
import { listPage, listQuery } from './list-page.js';
import { jsonReply, type SecuredOperation } from './operation.js';
import { createQueryReader } from './query.js';
import { createChecker } from './validate.js';

/** Users of the caller's organization, for its admins. */

const path = '/api/v1/users';
const checkRequest = createChecker(userRequest, 'body');
const checkPatch = createChecker(userPatch, 'body');
const readQuery = createQueryReader(listQuery);
const parameters = { id: 'Id of the user.' };
const record = {
  status: 200,
  contentType: 'application/json',
  schema: userRecord,
  headers: [],
  example: userRecordExample,
} as const;

/** `GET /api/v1/users`. */
export const listUsersOperation: SecuredOperation = {
  id: 'listUsers',
  method: 'GET',
  path,
  scope: 'admin',
  summary: 'List users',
  description: 'The users of the organization, service users too.',
  query: listQuery,
  responses: [{ ...record, schema: usersResponse, example: usersExample, description: 'One page of users.' }],
  errors: ['invalid_input'],

  answer(context, call, principal, input) {
    const query = readQuery(input.query);
    return administered(context, call, principal, (admin) => jsonReply(listPage(listUsers(admin), query, userBody)));
  },
};

/** `POST /api/v1/users`. */
export const createUserOperation: SecuredOperation = {
  id: 'createUser',
  method: 'POST',
  path,
  scope: 'admin',
  summary: 'Create a user',
  description: 'A person, who signs in with a password, or a service user, who owns service keys.',
  body: { schema: userRequest, examples: userExamples },
  responses: [{ ...record, status: 201, description: 'The user.' }],
  errors: ['invalid_input', 'conflict'],

  answer(context, call, principal, input) {
    const { email, role, password, service = false, profile_id: profileId = 'default' } = checkRequest(input.body);
    const { organizationId } = principal;
    const request = {
      organizationId,
      email,
      role,
      service,
      profileId,
      ...(password === undefined ? {} : { password }),
    };
    return administered(context, call, principal, async (admin, now) =>
      jsonReply(userBody(await createUser(admin, request, now)), [], 201),
    );
  },
};

/** `PATCH /api/v1/users/{id}`. */
export const changeUserOperation: SecuredOperation = {
  id: 'changeUser',
  method: 'PATCH',
  path: `${path}/{id}`,
  parameters,
  scope: 'admin',
  summary: 'Change a user',
  description:
    'Another role, profile or password, effective with the user’s next request. The last admin keeps the role. A new ' +
    'password ends the sessions of the user.',
  body: { schema: userPatch, examples: userPatchExamples },
  responses: [{ ...record, description: 'The user as changed.' }],
  errors: ['invalid_input', 'unknown_id', 'conflict'],

  answer(context, call, principal, input) {
    const { role, password, profile_id: profileId } = checkPatch(input.body);
    const change = {
      ...(role === undefined ? {} : { role }),
      ...(profileId === undefined ? {} : { profileId }),
      ...(password === undefined ? {} : { password }),
    };
    return administered(context, call, principal, async (admin, now) =>
      jsonReply(userBody(await changeUser(admin, input.parameters.id, change, now))),
    );
  },
};

/** `DELETE /api/v1/users/{id}`. */
export const removeUserOperation: SecuredOperation = {
  id: 'removeUser',
  method: 'DELETE',
  path: `${path}/{id}`,
  parameters,
  scope: 'admin',
  summary: 'Remove a user',
  description: 'Removes the user, ends the sessions and revokes the tokens. Never the last admin, never oneself.',
  responses: [{ ...record, description: 'The user as it was.' }],
  errors: ['invalid_input', 'unknown_id', 'conflict'],

  answer: (context, call, principal, input) =>
    administered(context, call, principal, async (admin, now) =>
      jsonReply(userBody(await removeUser(admin, input.parameters.id, now))),
    ),
};
