import { changeApplication, createApplication, listApplications } from '../guard/administration.js';
import { administered } from './administered.js';
import {
  applicationExamples,
  applicationPatchExamples,
  applicationRecordExample,
  applicationsExample,
} from './identity-examples.js';
import { applicationPatch, applicationRecord, applicationRequest, applicationsResponse } from './identity-schemas.js';
import { applicationBody } from './identity-wire.js';
import { listPage, listQuery } from './list-page.js';
import { jsonReply, type SecuredOperation } from './operation.js';
import { createQueryReader } from './query.js';
import { createChecker } from './validate.js';

/** Applications of the caller's organization. */

const path = '/api/v1/applications';
const checkRequest = createChecker(applicationRequest, 'body');
const checkPatch = createChecker(applicationPatch, 'body');
const readQuery = createQueryReader(listQuery);
const record = {
  status: 200,
  contentType: 'application/json',
  schema: applicationRecord,
  headers: [],
  example: applicationRecordExample,
} as const;

/** `GET /api/v1/applications`. */
export const listApplicationsOperation: SecuredOperation = {
  id: 'listApplications',
  method: 'GET',
  path,
  scope: 'policies:read',
  summary: 'List applications',
  description: 'The applications of the organization with the profiles that are enforced for them.',
  query: listQuery,
  responses: [
    { ...record, schema: applicationsResponse, example: applicationsExample, description: 'One page of applications.' },
  ],
  errors: ['invalid_input'],

  answer(context, call, principal, input) {
    const query = readQuery(input.query);
    return administered(context, call, principal, (admin) =>
      jsonReply(listPage(listApplications(admin), query, applicationBody)),
    );
  },
};

/** `POST /api/v1/applications`. */
export const createApplicationOperation: SecuredOperation = {
  id: 'createApplication',
  method: 'POST',
  path,
  scope: 'admin',
  summary: 'Create an application',
  description: 'Scans name it by its id, as `app_uuid`, and its profile is enforced in them.',
  body: { schema: applicationRequest, examples: applicationExamples },
  responses: [{ ...record, status: 201, description: 'The application.' }],
  errors: ['invalid_input', 'conflict'],

  answer(context, call, principal, input) {
    const { name, profile_id: profileId = 'default' } = checkRequest(input.body);
    const request = { organizationId: principal.organizationId, name, profileId };
    return administered(context, call, principal, async (admin, now) =>
      jsonReply(applicationBody(await createApplication(admin, request, now)), [], 201),
    );
  },
};

/** `PATCH /api/v1/applications/{id}`. */
export const changeApplicationOperation: SecuredOperation = {
  id: 'changeApplication',
  method: 'PATCH',
  path: `${path}/{id}`,
  parameters: { id: 'Id of the application.' },
  scope: 'admin',
  summary: 'Change an application',
  description: 'Another name or profile, or switched off and on; effective with the next scan.',
  body: { schema: applicationPatch, examples: applicationPatchExamples },
  responses: [{ ...record, description: 'The application as changed.' }],
  errors: ['invalid_input', 'unknown_id'],

  answer(context, call, principal, input) {
    const { name, active, profile_id: profileId } = checkPatch(input.body);
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(profileId === undefined ? {} : { profileId }),
      ...(active === undefined ? {} : { active }),
    };
    return administered(context, call, principal, async (admin, now) =>
      jsonReply(applicationBody(await changeApplication(admin, input.parameters.id, change, now))),
    );
  },
};
