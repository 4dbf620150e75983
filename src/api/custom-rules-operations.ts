import type { CustomRules, CustomRulesReport, StoredCustomRules } from '../domain/custom-rules.js';
import { isError } from '../domain/diagnostic.js';
import { administered, withStore } from './administered.js';
import {
  type CustomRulesRequest,
  checkedRulesResponse,
  customRulesRequest,
  customRulesResponse,
  savedRulesRequest,
} from './custom-rules-schemas.js';
import { checkedRulesExample, customRulesExamples, customRulesResponseExample } from './examples.js';
import { jsonReply, type SecuredOperation } from './operation.js';
import { createChecker } from './validate.js';

/** Rules of the caller's own organization, whichever that is: no operation here takes the id of one. */

const path = '/api/v1/organization/rules';
const checkBody = createChecker(customRulesRequest, 'body');
const checkSaved = createChecker(savedRulesRequest, 'body');

const stored = {
  status: 200,
  contentType: 'application/json',
  schema: customRulesResponse,
  headers: [],
  example: customRulesResponseExample,
} as const;

/** `GET /api/v1/organization/rules`. */
export const readCustomRulesOperation: SecuredOperation = {
  id: 'readCustomRules',
  method: 'GET',
  path,
  scope: 'admin',
  summary: 'Read the organization’s own rules',
  description: 'The custom rules and the allow-list of the caller’s organization.',
  responses: [{ ...stored, description: 'The rules; empty lists where there are none.' }],
  errors: ['invalid_input', 'store_unavailable'],

  answer: (context, _call, principal) =>
    withStore(() => jsonReply(storedBody(context.customRules.find(principal.organizationId)))),
};

/** `PUT /api/v1/organization/rules`. */
export const saveCustomRulesOperation: SecuredOperation = {
  id: 'saveCustomRules',
  method: 'PUT',
  path,
  scope: 'admin',
  summary: 'Replace the organization’s own rules',
  description:
    'Checks, compiles and saves custom rules and allow-list; every scan of the organization that is asked for after the ' +
    'answer uses them beside the shipped rules. Rules with any error are refused with all of their diagnostics, and ' +
    'nothing changes. The service gives ids to rules that have none.',
  body: { schema: savedRulesRequest, examples: customRulesExamples },
  responses: [{ ...stored, description: 'As saved, with warnings.' }],
  errors: ['invalid_input', 'conflict', 'store_unavailable', 'overloaded', 'deadline', 'worker_lost'],

  async answer(context, call, principal, input) {
    const { rules = [], allow = [], base_version: baseVersion } = checkSaved(input.body);
    const saved = await administered(context, call, principal, ({ actor }, now) =>
      context.customRules.save(principal.organizationId, { rules, allow }, { now, actor, baseVersion }),
    );
    return jsonReply({ ...storedBody(saved.stored), diagnostics: saved.report.diagnostics });
  },
};

/** `DELETE /api/v1/organization/rules`. */
export const removeCustomRulesOperation: SecuredOperation = {
  id: 'removeCustomRules',
  method: 'DELETE',
  path,
  scope: 'admin',
  summary: 'Remove the organization’s own rules',
  description: 'Removes all custom rules and the allow-list; scans use the shipped rules alone from then on.',
  responses: [{ ...stored, description: 'Empty lists.' }],
  errors: ['invalid_input', 'store_unavailable'],

  async answer(context, call, principal) {
    await administered(context, call, principal, ({ actor }, now) =>
      context.customRules.remove(principal.organizationId, { now, actor }),
    );
    return jsonReply(storedBody(undefined));
  },
};

/** `POST /api/v1/organization/rules/check`. */
export const checkCustomRulesOperation: SecuredOperation = {
  id: 'checkCustomRules',
  method: 'POST',
  path: `${path}/check`,
  scope: 'admin',
  summary: 'Check rules without saving them',
  description: 'Compiles the rules, runs their examples and tells every problem. Nothing changes.',
  body: { schema: customRulesRequest, examples: customRulesExamples },
  responses: [
    {
      status: 200,
      description: 'What was found, also where the rules have errors.',
      contentType: 'application/json',
      schema: checkedRulesResponse,
      headers: [],
      example: checkedRulesExample,
    },
  ],
  errors: ['invalid_input', 'store_unavailable', 'overloaded', 'deadline', 'worker_lost'],

  async answer(context, _call, principal, input) {
    const { rules: givenRules = [], allow = [] }: CustomRulesRequest = checkBody(input.body);
    const given = { rules: givenRules, allow };
    const { rules, report } = await withStore(() => context.customRules.check(principal.organizationId, given));
    return jsonReply(checkedBody(rules, report));
  },
};

/** The body of a check. */
export function checkedBody({ rules, allow }: CustomRules, report: CustomRulesReport) {
  return {
    valid: !report.diagnostics.some(isError),
    diagnostics: report.diagnostics,
    patterns: report.patterns,
    needles: report.needles,
    examples: report.examples,
    program_bytes: report.programBytes,
    rules,
    allow,
  };
}

/** The body that tells what is stored. */
export function storedBody(found: StoredCustomRules | undefined) {
  return {
    version: found?.version ?? null,
    updated_at: found ? new Date(found.updatedAt).toISOString() : null,
    updated_by: found?.updatedBy ?? null,
    rules: found?.rules ?? [],
    allow: found?.allow ?? [],
  };
}
