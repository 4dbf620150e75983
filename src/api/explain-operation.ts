import { GuardError } from '../domain/errors.js';
import type { ExplainedMatch, Explanation } from '../guard/explain.js';
import {
  type ExplainBody,
  explainExamples,
  explainRequest,
  explainResponse,
  explainResponseExample,
} from './explain-schemas.js';
import { jsonReply, type SecuredOperation } from './operation.js';
import { createChecker } from './validate.js';

const checkRequest = createChecker(explainRequest, 'body');

/** `POST /api/v1/guard/explain`. */
export const explainOperation: SecuredOperation = {
  id: 'explain',
  method: 'POST',
  path: '/api/v1/guard/explain',
  scope: 'guard:scan',
  summary: 'Explain a verdict',
  description:
    'Scans messages and tells why the verdict is what it is: each policy’s score against its threshold, the rules behind ' +
    'each match with their reasons, the reading of the text that it was found in, and what was found but is not reported. ' +
    'Nothing is recorded.',
  body: { schema: explainRequest, examples: explainExamples },
  responses: [
    {
      status: 200,
      description: 'The verdict and its reasons.',
      contentType: 'application/json',
      schema: explainResponse,
      headers: [],
      example: explainResponseExample,
    },
  ],
  errors: ['invalid_input', 'unknown_app', 'forbidden_app', 'unknown_id', 'overloaded', 'deadline', 'worker_lost'],

  async answer(context, call, principal, input) {
    const body: ExplainBody = checkRequest(input.body);
    if (body.profile_id !== undefined && body.app_uuid !== undefined) {
      const message = 'cannot be given beside profile_id';
      throw new GuardError('invalid_input', `/app_uuid ${message}.`, [{ pointer: '/app_uuid', message }]);
    }
    const explanation = await context.explain(principal, {
      messages: body.messages,
      ...(body.profile_id === undefined ? {} : { profileId: body.profile_id }),
      ...(body.app_uuid === undefined ? {} : { appUuid: body.app_uuid.toLowerCase() }),
      abandoned: call.abandoned,
    });
    return jsonReply(explanationBody(explanation));
  },
};

function explanationBody(explanation: Explanation) {
  const scores = explanation.scores.map(({ policy, score, threshold, mode }) => [policy, { score, threshold, mode }]);
  return {
    flagged: explanation.flagged,
    policies: explanation.policies,
    scores: Object.fromEntries(scores),
    matches: explanation.matches.map(matchBody),
    hints: explanation.hints.map(matchBody),
    truncated: explanation.truncated,
    scanned_from: explanation.scannedFrom,
    timing: { queue_us: explanation.timing.queueUs, scan_us: explanation.timing.scanUs },
    policy_version: explanation.policyVersion,
    profile_id: explanation.profileId,
  };
}

function matchBody(match: ExplainedMatch) {
  return {
    message_id: match.messageId,
    start: match.start,
    end: match.end,
    detector_type: match.policy,
    labels: match.labels,
    rules: match.rules,
    via: match.via ?? [],
  };
}
