import Type, { type Static } from 'typebox';
import { limits } from '../domain/limits.js';
import { overviewSteps } from '../guard/overview.js';
import { projectId, time, uuid } from './schemas.js';

/** The wire shapes of the overview. */

export const overviewQuery = Type.Object(
  {
    from: Type.Optional(time('Begins with the hour or day that this time is in; a day before `to` when left out.')),
    to: Type.Optional(time('Ends with the hour or day that this time is in; now when left out.')),
    step: Type.Optional(
      Type.Enum(overviewSteps, {
        type: 'string',
        default: 'hour',
        description: 'Length of a bucket; days are of UTC.',
      }),
    ),
    project_id: projectId('Only scans of this project.'),
    app_uuid: Type.Optional(uuid('Only scans for this application; not beside `project_id`.')),
  },
  { additionalProperties: false },
);

const count = Type.Integer({ minimum: 0 });
const counts = {
  scans: count,
  flagged: count,
  policies: Type.Record(Type.String(), count, { description: 'Scans with matches of a policy, by its code.' }),
};
const tally = { scans: count, flagged: count };
const named = (description: string) =>
  Type.Array(Type.Object({ id: Type.String(), ...tally }), { maxItems: limits.overviewNamesMax, description });

export const overviewResponse = Type.Object({
  from: Type.String({ format: 'date-time' }),
  to: Type.String({ format: 'date-time', description: 'Exclusive.' }),
  step: Type.Enum(overviewSteps, { type: 'string' }),
  buckets: Type.Array(Type.Object({ start: Type.String({ format: 'date-time' }), ...counts }), {
    description: 'One for each step, oldest first.',
  }),
  totals: Type.Object(counts),
  projects: named(
    'The projects with the most scans; empty where a project or an application was asked for. Of each hour the ' +
      `${limits.rollupProjectsMax} with the most scans are told apart, what others had then is in \`other\`; asked for by \`project_id\` ` +
      'or `app_uuid`, each has all its scans.',
  ),
  applications: named('The applications with the most scans, likewise.'),
  rules: Type.Array(Type.Object({ id: Type.String(), hits: count }), {
    maxItems: limits.overviewNamesMax,
    description: 'The rules that matched in the most scans.',
  }),
  other: Type.Object(
    { projects: Type.Object(tally), applications: Type.Object(tally), rules: Type.Object({ hits: count }) },
    { description: 'All projects, applications and rules that are not named, together.' },
  ),
  latency_us: Type.Union([Type.Object({ p50: Type.Number(), p95: Type.Number(), p99: Type.Number() }), Type.Null()], {
    description: 'Durations of scans in microseconds, right within a tenth; null where there was none.',
  }),
  load: Type.Object(
    {
      queue_depth: Type.Integer({ minimum: 0, description: 'Scans that wait for a thread.' }),
      pool_threads: count,
      in_flight: Type.Integer({ minimum: 0, description: 'Requests that are being answered.' }),
      busy: Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of the last seconds in which the service was busy: the mean of the threads that answer.',
      }),
    },
    { description: 'How busy the whole service is now.' },
  ),
});

export const overviewResponseExample: Static<typeof overviewResponse> = {
  from: '2026-01-31T07:00:00.000Z',
  to: '2026-01-31T09:00:00.000Z',
  step: 'hour',
  buckets: [
    { start: '2026-01-31T07:00:00.000Z', scans: 1204, flagged: 31, policies: { LLM01: 22, LLM02: 12 } },
    { start: '2026-01-31T08:00:00.000Z', scans: 0, flagged: 0, policies: {} },
  ],
  totals: { scans: 1204, flagged: 31, policies: { LLM01: 22, LLM02: 12 } },
  projects: [{ id: 'checkout-bot', scans: 1100, flagged: 30 }],
  applications: [{ id: '6f2b0c1e-8f5d-4a57-9d1c-3b9f0a7e4d21', scans: 800, flagged: 12 }],
  rules: [{ id: 'LLM01-0001', hits: 19 }],
  other: { projects: { scans: 0, flagged: 0 }, applications: { scans: 0, flagged: 0 }, rules: { hits: 0 } },
  latency_us: { p50: 21.5, p95: 84.1, p99: 311.9 },
  load: { queue_depth: 0, pool_threads: 4, in_flight: 1, busy: 0.07 },
};
