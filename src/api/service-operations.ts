import Type from 'typebox';
import { limits } from '../domain/limits.js';
import type { Header } from './http-terms.js';
import { jsonReply, type PublicOperation } from './operation.js';
import { liveResponse, readyResponse } from './schemas.js';

/** What everybody may ask, without a token and also while the service shuts down. */

/** `GET /livez`. */
export const liveOperation: PublicOperation = {
  id: 'isLive',
  method: 'GET',
  path: '/livez',
  scope: null,
  summary: 'Is the process alive?',
  description: 'Answers as long as the process can answer at all. Not a reason to send it traffic: see `/readyz`.',
  responses: [
    {
      status: 200,
      description: 'It is.',
      contentType: 'application/json',
      schema: liveResponse,
      headers: [],
      example: { status: 'live' },
    },
  ],
  errors: [],
  answer: () => jsonReply({ status: 'live' }),
};

const retryLater: readonly Header[] = [['Retry-After', String(limits.retryAfterSeconds)]];

/** `GET /readyz`. A failing store only degrades the service, because verdicts do not need it; so does a missing profile, for which `default` stands in. */
export const readyOperation: PublicOperation = {
  id: 'isReady',
  method: 'GET',
  path: '/readyz',
  scope: null,
  summary: 'Can it scan?',
  description:
    'Whether traffic should be sent here. A failing store is told as `degraded` and does not take it ' +
    'away; so is a profile that is assigned, but was removed from the rules folder: `default` is enforced in its place.',
  responses: [
    {
      status: 200,
      description: 'Verdicts are given.',
      contentType: 'application/json',
      schema: readyResponse,
      headers: [],
      example: { status: 'ready', reasons: [] },
    },
    {
      status: 503,
      description: 'Starting, broken or shutting down.',
      contentType: 'application/json',
      schema: readyResponse,
      headers: ['Retry-After'],
      example: { status: 'unavailable', reasons: ['The service is shutting down.'] },
    },
  ],
  errors: [],
  answer(context, call) {
    if (call.draining) {
      return jsonReply({ status: 'unavailable', reasons: ['The service is shutting down.'] }, retryLater, 503);
    }
    const { status, reasons } = context.health();
    return status === 'unavailable' ? jsonReply({ status, reasons }, retryLater, 503) : jsonReply({ status, reasons });
  },
};

/** `GET /metrics`. */
export const metricsOperation: PublicOperation = {
  id: 'readMetrics',
  method: 'GET',
  path: '/metrics',
  scope: null,
  summary: 'Metrics for Prometheus',
  description: 'Counters, histograms and gauges in the Prometheus text format. Keep it from the public at the proxy.',
  responses: [
    {
      status: 200,
      description: 'The metrics.',
      contentType: 'text/plain',
      schema: Type.String(),
      headers: [],
    },
  ],
  errors: [],
  async answer(context) {
    const body = await context.renderMetrics();
    return { status: 200, contentType: context.metrics.contentType, body, headers: [] };
  },
};

/** `GET /api/v1/openapi.json`; `document` gives the text, which is made on first use. */
export function openapiOperation(document: () => string): PublicOperation {
  return {
    id: 'readOpenapi',
    method: 'GET',
    path: '/api/v1/openapi.json',
    scope: null,
    summary: 'This document',
    description: 'The OpenAPI 3.1 description of the service, made from the schemas that validate.',
    responses: [
      {
        status: 200,
        description: 'The document.',
        contentType: 'application/json',
        schema: Type.Object({ openapi: Type.String() }),
        headers: [],
      },
    ],
    errors: [],
    answer: () => ({ status: 200, contentType: 'application/json', body: document(), headers: [] }),
  };
}
