import Type, { type Static } from 'typebox';
import type { CustomRulesRevision } from '../domain/custom-rules.js';
import { GuardError } from '../domain/errors.js';
import type { Administration } from '../guard/administration.js';
import { administered } from './administered.js';
import { storedBody } from './custom-rules-operations.js';
import { baseRulesVersion, customRulesResponse } from './custom-rules-schemas.js';
import { customRulesResponseExample } from './examples.js';
import { jsonReply, type SecuredOperation } from './operation.js';
import { updatedBody } from './profile-wire.js';
import { closed, nullableString } from './schemas.js';
import { createChecker } from './validate.js';

/** Former states of the own rules of the caller's organization. */

const path = '/api/v1/organization/rules';

const rulesHistoryResponse = Type.Object({
  data: Type.Array(
    Type.Object({
      revision: Type.Integer({ minimum: 1, description: 'Counts the changes.' }),
      version: nullableString('Names the state by its content; null where the rules were removed.'),
      updated_at: Type.String({ format: 'date-time' }),
      updated_by: nullableString('Id of the user; null where it was done on the command line.'),
      updated_by_email: nullableString('E-mail of that user; null where the user is gone, too.'),
      rules: Type.Integer({ minimum: 0, description: 'Number of rules.' }),
      allowed: Type.Integer({ minimum: 0, description: 'Number of allowed phrases.' }),
    }),
    { description: 'Newest first, today’s included.' },
  ),
});

const rollbackRequest = Type.Object(
  {
    revision: Type.Integer({ minimum: 1, description: 'The state to go back to.' }),
    base_version: baseRulesVersion,
  },
  closed,
);
const checkRollback = createChecker(rollbackRequest, 'body');

const historyExample: Static<typeof rulesHistoryResponse> = {
  data: [
    {
      revision: 3,
      version: '5d41402abc4b2a76b9719d911017c592',
      updated_at: '2026-01-31T08:00:00.000Z',
      updated_by: '6f2b0c1e-8f5d-4a57-9d1c-3b9f0a7e4d21',
      updated_by_email: 'ada@example.org',
      rules: 1,
      allowed: 1,
    },
  ],
};

const rules = {
  status: 200,
  contentType: 'application/json',
  schema: customRulesResponse,
  headers: [],
  example: customRulesResponseExample,
} as const;

/** `GET /api/v1/organization/rules/history`. */
export const readCustomRulesHistoryOperation: SecuredOperation = {
  id: 'readCustomRulesHistory',
  method: 'GET',
  path: `${path}/history`,
  scope: 'admin',
  summary: 'Read the history of the organization’s own rules',
  description: 'The states that custom rules and allow-list were in: when and by whom.',
  responses: [
    { ...rules, schema: rulesHistoryResponse, example: historyExample, description: 'The states that are kept.' },
  ],
  errors: ['invalid_input'],

  answer: (context, call, principal) =>
    administered(context, call, principal, (admin) => {
      const states = context.customRules.history(principal.organizationId);
      return jsonReply({ data: states.map((state) => stateBody(admin, state)) });
    }),
};

/** `GET /api/v1/organization/rules/history/{revision}`. */
export const readCustomRulesRevisionOperation: SecuredOperation = {
  id: 'readCustomRulesRevision',
  method: 'GET',
  path: `${path}/history/{revision}`,
  parameters: { revision: 'Number of the change.' },
  scope: 'admin',
  summary: 'Read a former state of the organization’s own rules',
  description: 'Custom rules and allow-list as they were.',
  responses: [{ ...rules, description: 'The rules; empty lists where they had been removed.' }],
  errors: ['invalid_input', 'unknown_id'],

  answer: (context, call, principal, { parameters: { revision } }) =>
    administered(context, call, principal, () => {
      const state = context.customRules
        .history(principal.organizationId)
        .find((each) => String(each.revision) === revision);
      if (!state) throw new GuardError('unknown_id', 'The revision is not known.');
      return jsonReply({ ...storedBody(state), version: state.version || null });
    }),
};

/** `POST /api/v1/organization/rules/rollback`. */
export const rollBackCustomRulesOperation: SecuredOperation = {
  id: 'rollBackCustomRules',
  method: 'POST',
  path: `${path}/rollback`,
  scope: 'admin',
  summary: 'Roll the organization’s own rules back',
  description: 'Checks, compiles and saves a former state of custom rules and allow-list, as a change like any other.',
  body: { schema: rollbackRequest, examples: { back: { summary: 'To the second state', value: { revision: 2 } } } },
  responses: [{ ...rules, description: 'As saved, with warnings.' }],
  errors: ['invalid_input', 'conflict', 'overloaded', 'deadline', 'worker_lost'],

  async answer(context, call, principal, input) {
    const { revision, base_version: baseVersion } = checkRollback(input.body);
    const saved = await administered(context, call, principal, ({ actor }, now) =>
      context.customRules.rollBack(principal.organizationId, revision, { now, actor, baseVersion }),
    );
    return jsonReply({ ...storedBody(saved.stored), diagnostics: saved.report.diagnostics });
  },
};

function stateBody(admin: Administration, state: CustomRulesRevision) {
  return {
    revision: state.revision,
    version: state.version || null,
    ...updatedBody(admin, state),
    rules: state.rules.length,
    allowed: state.allow.length,
  };
}
