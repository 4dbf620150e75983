import type { ScanRequest, ScanResult } from '../guard/guard.js';
import { guardExamples, guardResponseExample } from './examples.js';
import { type ApiContext, type Call, jsonReply, type Reply, type SecuredOperation } from './operation.js';
import { scanHeaders } from './scan-headers.js';
import { type GuardRequest, guardRequest, guardResponse } from './schemas.js';
import { createChecker } from './validate.js';
import { guardText } from './wire.js';

const checkRequest = createChecker(guardRequest, 'body');

/** `POST /api/v1/guard`. */
export const scanOperation: SecuredOperation = {
  id: 'scan',
  method: 'POST',
  path: '/api/v1/guard',
  scope: 'guard:scan',
  summary: 'Scan messages',
  description:
    'Scans chat turns under the profile of the named application, or under the default profile of the user. ' +
    'Any answer other than 200 means that no verdict was reached; it must not be read as "not flagged".',
  body: { schema: guardRequest, examples: guardExamples },
  responses: [
    {
      status: 200,
      description: 'The verdict.',
      contentType: 'application/json',
      schema: guardResponse,
      headers: ['X-Scan-Id', 'X-Scan-Recorded', 'Server-Timing'],
      example: guardResponseExample,
    },
  ],
  errors: ['invalid_input', 'unknown_app', 'forbidden_app', 'overloaded', 'deadline', 'worker_lost'],

  answer(context, call, principal, input) {
    const body = checkRequest(input.body);
    context.metrics.stages.lap('validate');
    const result = context.guard.scan(principal, scanRequest(body, call));
    if (!(result instanceof Promise)) return scanReply(context, result);
    return result.then((late) => scanReply(context, late));
  },
};

function scanRequest(body: GuardRequest, call: Call): ScanRequest {
  const request: { -readonly [Key in keyof ScanRequest]: ScanRequest[Key] } = {
    messages: body.messages,
    source: 'rest',
    requestId: call.requestId,
    receivedUs: call.receivedUs,
    positionEncoding: body.position_encoding ?? 'utf-16',
    payload: body.payload ?? false,
    breakdown: body.breakdown ?? false,
    devInfo: body.dev_info ?? false,
    abandoned: call.abandoned,
  };
  if (body.app_uuid !== undefined) request.appUuid = body.app_uuid.toLowerCase();
  if (body.project_id !== undefined) request.projectId = body.project_id;
  return request;
}

function scanReply(context: ApiContext, result: ScanResult): Reply {
  context.metrics.scanDone('rest', result);
  return jsonReply(guardText(result), scanHeaders(result.scanId, result.durationUs, result.unrecorded === true));
}
