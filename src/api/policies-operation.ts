import { policiesResponseExample } from './examples.js';
import { jsonReply, type SecuredOperation } from './operation.js';
import { policiesResponse } from './schemas.js';
import { policiesBody } from './wire.js';

/** `GET /api/v1/policies`. */
export const policiesOperation: SecuredOperation = {
  id: 'listPolicies',
  method: 'GET',
  path: '/api/v1/policies',
  scope: 'policies:read',
  summary: 'List enabled policies',
  description:
    'The policies that the default profile of the caller, or of the application that the token is bound to, has enabled.',
  responses: [
    {
      status: 200,
      description: 'The policies by their key; an empty object when none is enabled.',
      contentType: 'application/json',
      schema: policiesResponse,
      headers: [],
      example: policiesResponseExample,
    },
  ],
  errors: ['invalid_input', 'unknown_app', 'store_unavailable'],

  answer: (context, _call, principal) => jsonReply(policiesBody(context.guard.policies(principal))),
};
