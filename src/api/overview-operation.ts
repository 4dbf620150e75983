import type { Static } from 'typebox';
import { type FieldError, invalidInput } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import { canBeTold } from '../domain/told-time.js';
import { type Overview, type OverviewQuery, stepMs } from '../guard/overview.js';
import { hourMs } from '../store/rollup.js';
import { jsonReply, type Load, type SecuredOperation } from './operation.js';
import { overviewQuery, overviewResponse, overviewResponseExample } from './overview-schemas.js';
import { createQueryReader } from './query.js';
import type { Wire } from './wire.js';

const readQuery = createQueryReader(overviewQuery);
const rangeMsDefault = 24 * hourMs;
const rangeMsMax = limits.overviewHoursMax * hourMs;

/** `GET /api/v1/overview`. */
export const overviewOperation: SecuredOperation = {
  id: 'readOverview',
  method: 'GET',
  path: '/api/v1/overview',
  scope: 'results:read',
  summary: 'What happened',
  description:
    'Scans of the caller’s organization over time, by policy, project and application, the rules that matched most, and ' +
    'how long scans took. Read from hourly counts, so that the answer does not depend on the number of scans; they begin ' +
    `with the first scan under a version that counts. A token that is bound to an application sees the counts of that one. Covers ${limits.overviewHoursMax / 24} days at the most.`,
  query: overviewQuery,
  responses: [
    {
      status: 200,
      description: 'The overview.',
      contentType: 'application/json',
      schema: overviewResponse,
      headers: [],
      example: overviewResponseExample,
    },
  ],
  errors: ['invalid_input', 'forbidden_app', 'store_unavailable'],

  async answer(context, _call, principal, input) {
    const query = overviewQueryOf(readQuery(input.query), context.clock.nowMs());
    const [overview, load] = await Promise.all([context.guard.overview(principal, query), context.load()]);
    return jsonReply(overviewBody(query, overview, load));
  },
};

/** Throws `invalid_input` for a range that is empty, turned round or too long. */
function overviewQueryOf(query: Static<typeof overviewQuery>, nowMs: number): OverviewQuery {
  const { step = 'hour', project_id: projectId, app_uuid: appUuid } = query;
  const asked = query.to === undefined ? nowMs : Date.parse(query.to);
  const to = (Math.floor((asked - 1) / stepMs[step]) + 1) * stepMs[step];
  const begin = query.from === undefined ? asked - rangeMsDefault : Date.parse(query.from);
  const from = Math.floor(begin / stepMs[step]) * stepMs[step];
  const wrong: FieldError[] = [];
  if (projectId !== undefined && appUuid !== undefined) {
    wrong.push({ pointer: '?app_uuid', message: 'cannot be given beside project_id' });
  }
  for (const [name, time] of [['?from', from] as const, ['?to', to] as const]) {
    if (!canBeTold(time)) wrong.push({ pointer: name, message: 'must be within the years 0 to 9999' });
  }
  if (begin >= asked) wrong.push({ pointer: '?from', message: 'must be before to' });
  // A range of so many days may begin and end within one.
  if (to - from > rangeMsMax + stepMs[step]) {
    wrong.push({ pointer: '?from', message: `must be at most ${limits.overviewHoursMax / 24} days before to` });
  }
  if (wrong.length > 0) throw invalidInput(wrong);
  return {
    from,
    to,
    step,
    ...(projectId === undefined ? {} : { projectId }),
    ...(appUuid === undefined ? {} : { appUuid: appUuid.toLowerCase() }),
  };
}

function overviewBody(
  { from, to, step }: OverviewQuery,
  overview: Overview,
  load: Load,
): Wire<Static<typeof overviewResponse>> {
  const { buckets, totals, projects, applications, rules, latencyUs } = overview;
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    step,
    buckets: buckets.map(({ start, ...counts }) => ({ start: new Date(start).toISOString(), ...counts })),
    totals,
    projects: projects.top,
    applications: applications.top,
    rules: rules.top,
    other: { projects: projects.other, applications: applications.other, rules: rules.other },
    latency_us: latencyUs ?? null,
    load: {
      queue_depth: load.queueDepth,
      pool_threads: load.poolThreads,
      in_flight: load.inFlight,
      busy: load.busy,
    },
  };
}
