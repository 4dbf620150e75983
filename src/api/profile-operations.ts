import type { Principal } from '../domain/identity.js';
import type { Administration } from '../guard/administration.js';
import { administered } from './administered.js';
import { type ApiContext, type Call, type Input, jsonReply, type Reply, type SecuredOperation } from './operation.js';
import {
  profileExamples,
  profileHistoryExample,
  profileHistoryResponse,
  profileRecord,
  profileRecordExample,
  profileRequest,
  profilesResponse,
  rollbackExamples,
  rollbackRequest,
} from './profile-schemas.js';
import { profileBody, profileVersionBody } from './profile-wire.js';
import { createChecker } from './validate.js';

/** Profiles of the caller's organization, beside the shipped ones. */

const path = '/api/v1/profiles';
const one = `${path}/{id}`;
const parameters = { id: 'Id of the profile.' };
const checkRequest = createChecker(profileRequest, 'body');
const checkRollback = createChecker(rollbackRequest, 'body');
const record = {
  status: 200,
  contentType: 'application/json',
  schema: profileRecord,
  headers: [],
  example: profileRecordExample,
} as const;

/** `GET /api/v1/profiles`. */
export const listProfilesOperation: SecuredOperation = {
  id: 'listProfiles',
  method: 'GET',
  path,
  scope: 'policies:read',
  summary: 'List profiles',
  description: 'The shipped profiles and those of the organization, with what they are assigned to.',
  responses: [
    {
      ...record,
      schema: profilesResponse,
      example: { data: [profileRecordExample] },
      description: 'All of them: they are few.',
    },
  ],
  errors: ['invalid_input'],

  answer: (context, call, principal) =>
    administered(context, call, principal, (admin) => {
      const uses = context.profiles.uses(admin, principal.organizationId);
      const all = context.profiles.list(admin, principal.organizationId);
      return jsonReply({ data: all.map((state) => profileBody(admin, state, uses.get(state.id))) });
    }),
};

/** `GET /api/v1/profiles/{id}`. */
export const readProfileOperation: SecuredOperation = {
  id: 'readProfile',
  method: 'GET',
  path: one,
  parameters,
  scope: 'policies:read',
  summary: 'Read a profile',
  description: 'One profile, shipped or of the organization.',
  responses: [{ ...record, description: 'The profile.' }],
  errors: ['invalid_input', 'unknown_id'],

  answer: (context, call, principal, { parameters: { id } }) =>
    administered(context, call, principal, (admin) => profileReply(context, admin, principal, id)),
};

/** `PUT /api/v1/profiles/{id}`. */
export const saveProfileOperation: SecuredOperation = {
  id: 'saveProfile',
  method: 'PUT',
  path: one,
  parameters,
  scope: 'admin',
  summary: 'Create or replace a profile',
  description:
    'Makes a profile of the organization or replaces it as a whole, effective with the next scan. Shipped profiles cannot ' +
    'be changed; what was before stays in the history. A save that changes nothing is answered with what there is. The ids `preview` and `new` are reserved.',
  body: { schema: profileRequest, examples: profileExamples },
  responses: [{ ...record, description: 'The profile as saved.' }],
  errors: ['invalid_input', 'conflict'],

  answer(context, call, principal, input) {
    const { title, policies, base_version: baseVersion, ...settings } = checkRequest(input.body);
    const { store_text: storeText, scan_scope: scanScope = 'all' } = settings;
    const request = { title, policies, storeText, scanScope, ...(baseVersion === undefined ? {} : { baseVersion }) };
    return changed(context, call, principal, input, (admin, id, now) =>
      context.profiles.save(admin, principal.organizationId, id, request, now),
    );
  },
};

/** `DELETE /api/v1/profiles/{id}`. */
export const removeProfileOperation: SecuredOperation = {
  id: 'removeProfile',
  method: 'DELETE',
  path: one,
  parameters,
  scope: 'admin',
  summary: 'Remove a profile',
  description: 'Removes a profile of the organization and its history. Refused while it is assigned.',
  responses: [{ ...record, description: 'The profile as it was.' }],
  errors: ['invalid_input', 'unknown_id', 'conflict'],

  answer: (context, call, principal, { parameters: { id } }) =>
    administered(context, call, principal, async (admin, now) => {
      const state = context.profiles.find(admin, principal.organizationId, id);
      await context.profiles.remove(admin, principal.organizationId, id, now);
      return jsonReply(profileBody(admin, state, undefined));
    }),
};

/** `GET /api/v1/profiles/{id}/history`. */
export const readProfileHistoryOperation: SecuredOperation = {
  id: 'readProfileHistory',
  method: 'GET',
  path: `${one}/history`,
  parameters,
  scope: 'policies:read',
  summary: 'Read the history of a profile',
  description: 'The versions of a profile of the organization: what, when and by whom.',
  responses: [
    {
      ...record,
      schema: profileHistoryResponse,
      example: profileHistoryExample,
      description: 'The versions that are kept.',
    },
  ],
  errors: ['invalid_input', 'unknown_id', 'conflict'],

  answer: (context, call, principal, { parameters: { id } }) =>
    administered(context, call, principal, (admin) => {
      const versions = context.profiles.history(admin, principal.organizationId, id);
      return jsonReply({ data: versions.map((version) => profileVersionBody(admin, version)) });
    }),
};

/** `POST /api/v1/profiles/{id}/rollback`. */
export const rollBackProfileOperation: SecuredOperation = {
  id: 'rollBackProfile',
  method: 'POST',
  path: `${one}/rollback`,
  parameters,
  scope: 'admin',
  summary: 'Roll a profile back',
  description: 'Makes a former version of a profile its newest one, effective with the next scan.',
  body: { schema: rollbackRequest, examples: rollbackExamples },
  responses: [{ ...record, description: 'The profile as it is now.' }],
  errors: ['invalid_input', 'unknown_id', 'conflict'],

  answer(context, call, principal, input) {
    const { version, base_version: baseVersion } = checkRollback(input.body);
    return changed(context, call, principal, input, (admin, id, now) =>
      context.profiles.rollBack(admin, principal.organizationId, id, { version, baseVersion }, now),
    );
  },
};

function changed(
  context: ApiContext,
  call: Call,
  principal: Principal,
  { parameters: { id } }: Input,
  change: (admin: Administration, id: string, now: number) => Promise<unknown>,
): Promise<Reply> {
  return administered(context, call, principal, async (admin, now) => {
    await change(admin, id, now);
    return profileReply(context, admin, principal, id);
  });
}

function profileReply(context: ApiContext, admin: Administration, { organizationId }: Principal, id: string): Reply {
  const state = context.profiles.find(admin, organizationId, id);
  return jsonReply(profileBody(admin, state, context.profiles.uses(admin, organizationId).get(id)));
}
