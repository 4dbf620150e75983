import type { ResultsPage } from '../guard/guard.js';
import type { ScanQuery } from '../store/store.js';
import { resultsResponseExample } from './examples.js';
import { jsonReply, type SecuredOperation } from './operation.js';
import { createQueryReader } from './query.js';
import { type ResultsQuery, resultsQuery, resultsResponse } from './schemas.js';
import { resultsBody } from './wire.js';

const readQuery = createQueryReader(resultsQuery);
const perPageDefault = 20;
const scanIdShape = /^scan_[0-9a-f]{32}$/;

/** `GET /api/v1/guard/results`. */
export const resultsOperation: SecuredOperation = {
  id: 'listResults',
  method: 'GET',
  path: '/api/v1/guard/results',
  scope: 'results:read',
  summary: 'List past scans',
  description:
    'Past scans of the caller’s organization, newest first. All filters that are given must hold. A scan of another ' +
    'organization looks like one that never existed. A token that is bound to an application sees the scans of that one. ' +
    'For many pages use `cursor`, whose cost does not grow.',
  query: resultsQuery,
  responses: [
    {
      status: 200,
      description: 'One page of scans; a page past the end is empty and tells the true total.',
      contentType: 'application/json',
      schema: resultsResponse,
      headers: [],
      example: resultsResponseExample,
    },
  ],
  errors: ['invalid_input', 'forbidden_app', 'store_unavailable'],

  answer(context, _call, principal, input) {
    const query = readQuery(input.query);
    const place = { page: query.page ?? 1, perPage: query.per_page ?? perPageDefault };
    const named = query.scan_id !== undefined;
    if (query.scan_id !== undefined && !scanIdShape.test(query.scan_id)) {
      return jsonReply(resultsBody({ records: [], total: 0 }, place, named));
    }
    const reply = (page: ResultsPage) => jsonReply(resultsBody(page, place, named));
    const found = context.guard.results(principal, storeQuery(query, place));
    return found instanceof Promise ? found.then(reply) : reply(found);
  },
};

/** The largest offset stays a safe integer, so that a page of any number is merely past the end. */
function storeQuery(
  query: ResultsQuery,
  place: { readonly page: number; readonly perPage: number },
): Omit<ScanQuery, 'organizationId'> {
  return {
    limit: place.perPage,
    offset: Math.min((place.page - 1) * place.perPage, Number.MAX_SAFE_INTEGER),
    ...(query.project_id === undefined ? {} : { projectId: query.project_id }),
    ...(query.scan_id === undefined ? {} : { scanId: query.scan_id }),
    ...(query.flagged === undefined ? {} : { flagged: query.flagged }),
    ...(query.app_uuid === undefined ? {} : { appUuid: query.app_uuid.toLowerCase() }),
    ...(query.detector === undefined ? {} : { detector: query.detector }),
    ...(query.from === undefined ? {} : { from: Date.parse(query.from) }),
    ...(query.to === undefined ? {} : { to: Date.parse(query.to) }),
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
  };
}
