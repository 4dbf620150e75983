import { findOrganization, renameOrganization } from '../guard/administration.js';
import { administered } from './administered.js';
import { auditExample, organizationExample, organizationExamples } from './identity-examples.js';
import { auditQuery, auditResponse, organizationPatch, organizationResponse } from './identity-schemas.js';
import { auditBody, organizationBody } from './identity-wire.js';
import { jsonReply, type SecuredOperation } from './operation.js';
import { createQueryReader } from './query.js';
import { createChecker } from './validate.js';

/** The caller's own organization, whichever that is, and what was done in it. */

const path = '/api/v1/organization';
const checkPatch = createChecker(organizationPatch, 'body');
const readAuditQuery = createQueryReader(auditQuery);
const auditPerPageDefault = 20;
const organization = {
  status: 200,
  contentType: 'application/json',
  schema: organizationResponse,
  headers: [],
  example: organizationExample,
} as const;

/** `GET /api/v1/organization`. */
export const readOrganizationOperation: SecuredOperation = {
  id: 'readOrganization',
  method: 'GET',
  path,
  scope: 'policies:read',
  summary: 'Read the organization',
  description: 'The organization of the caller.',
  responses: [{ ...organization, description: 'The organization.' }],
  errors: ['invalid_input'],

  answer: (context, call, principal) =>
    administered(context, call, principal, (admin) =>
      jsonReply(organizationBody(findOrganization(admin, principal.organizationId))),
    ),
};

/** `PATCH /api/v1/organization`. */
export const changeOrganizationOperation: SecuredOperation = {
  id: 'changeOrganization',
  method: 'PATCH',
  path,
  scope: 'admin',
  summary: 'Rename the organization',
  description: 'Gives the organization of the caller another name.',
  body: { schema: organizationPatch, examples: organizationExamples },
  responses: [{ ...organization, description: 'The organization as changed.' }],
  errors: ['invalid_input'],

  answer(context, call, principal, input) {
    const { name } = checkPatch(input.body);
    return administered(context, call, principal, async (admin, now) => {
      const before = findOrganization(admin, principal.organizationId);
      return jsonReply(organizationBody(await renameOrganization(admin, before.id, name ?? before.name, now)));
    });
  },
};

/** `GET /api/v1/audit`. */
export const listAuditOperation: SecuredOperation = {
  id: 'listAudit',
  method: 'GET',
  path: '/api/v1/audit',
  scope: 'admin',
  summary: 'Read the audit log',
  description:
    'Every administrative act in the organization, over the API and by the `merlon` command, newest first: who did what to ' +
    'what, and what it changed. Nothing removes an entry. All filters that are given must hold.',
  query: auditQuery,
  responses: [
    {
      ...organization,
      schema: auditResponse,
      example: auditExample,
      description: 'One page of entries; it may be short, and the next one still hold more.',
    },
  ],
  errors: ['invalid_input'],

  answer(context, call, principal, input) {
    const query = readAuditQuery(input.query);
    return administered(context, call, principal, (admin) => {
      const { entries, next } = admin.store.audit.find({
        organizationId: principal.organizationId,
        limit: query.per_page ?? auditPerPageDefault,
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
        ...(query.action === undefined ? {} : { action: query.action }),
        ...(query.actor === undefined ? {} : { actor: query.actor.toLowerCase() }),
        ...(query.from === undefined ? {} : { from: Date.parse(query.from) }),
        ...(query.to === undefined ? {} : { to: Date.parse(query.to) }),
      });
      return jsonReply({ data: entries.map(auditBody), meta: { next_cursor: next ?? null } });
    });
  },
};
