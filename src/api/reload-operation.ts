import Type from 'typebox';
import { withStore } from './administered.js';
import { jsonReply, type SecuredOperation } from './operation.js';

const reloadResponse = Type.Object(
  {
    generation: Type.Integer({
      minimum: 1,
      description: 'Counts the times that rules were loaded since the start, which was 0.',
    }),
    rules: Type.Integer({ minimum: 1, description: 'Shipped rules that are loaded now.' }),
    profiles: Type.Integer({ minimum: 1, description: 'Shipped profiles that are loaded now.' }),
  },
  { additionalProperties: false },
);

/** `POST /api/v1/rules/reload`. */
export const reloadOperation: SecuredOperation = {
  id: 'reloadRules',
  method: 'POST',
  path: '/api/v1/rules/reload',
  scope: 'admin',
  summary: 'Reload the rule files',
  description:
    'Reads rule packs, models and shipped profiles from the folder of the service, compiles them beside the traffic, and ' +
    'publishes them: scans that begin after the answer use them, those that run end with the former ones. Where any file is ' +
    'broken nothing changes, and `errors` names every error with `file:line:column` in place of a pointer; nor where ' +
    'a shipped profile is gone that applications or users have: assign them another one first. The signal SIGHUP does the same.',
  responses: [
    {
      status: 200,
      description: 'The rules are in use.',
      contentType: 'application/json',
      schema: reloadResponse,
      headers: [],
      example: { generation: 1, rules: 194, profiles: 3 },
    },
  ],
  errors: ['invalid_input', 'store_unavailable', 'overloaded', 'deadline', 'worker_lost'],

  answer: async (context) => jsonReply(await withStore(() => context.reload())),
};
