import Type, { type Static } from 'typebox';
import { limits } from '../domain/limits.js';
import { policyCodes, policyModes } from '../domain/policy.js';
import { type RoleClass, roleNames } from '../domain/role.js';
import { severities } from '../domain/severity.js';
import { positionEncodings } from '../domain/span.js';

/**
 * The wire shapes of the REST interface: from each schema come the TypeScript type, the validator and the part of
 * the OpenAPI document. Requests are closed (an unknown field is refused); responses are open, because within `v1`
 * fields may be added. Properties stand in the order in which they are written on the wire.
 */

/** The part of RFC 3339 that every parser of dates reads alike: no leap second, no suffix, a capital T and Z. */
const timePattern = '^[0-9-]{10}T\\d{2}:\\d{2}:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$';
/** A time with an offset from UTC. */
export const time = (description: string) => Type.String({ format: 'date-time', pattern: timePattern, description });

/** For requests: unknown fields are refused. */
export const closed = { additionalProperties: false };
/** One of the policy codes. */
export const policyCode = Type.Enum(policyCodes, { type: 'string', description: 'Policy code.' });
/** One of the severities. */
export const severity = Type.Enum(severities, { type: 'string' });
/** A UUID in any letter case. */
export const uuid = (description: string) => Type.String({ format: 'uuid', description });
/** Text or null. */
export const nullableString = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
/** An optional boolean that is false when left out. */
export const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }));
/** An optional cursor. The form is for the check alone: to clients it is opaque, also where one is refused. */
export const cursor = (pattern: string) =>
  Type.Optional(Type.String({ format: 'cursor', pattern, description: '`meta.next_cursor` of the page before.' }));
/**
 * Text that every store, log and program can hold: no NUL, and no half of a surrogate pair, for which UTF-8 has no bytes.
 * Only what people say, the content of messages, may be anything.
 */
export const storablePattern = '^[^\\u0000\\p{Cs}]*$';
/** An optional name of a project. */
export const projectId = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: limits.projectIdLengthMax, pattern: storablePattern, description }),
  );

const namesOf = (of: RoleClass) => roleNames[of].map((name) => `\`${name}\``).join(', ');

/** One chat turn. */
export const message = Type.Object(
  {
    role: Type.String({
      minLength: 1,
      maxLength: limits.roleLengthMax,
      description:
        `Who speaks, which decides what rules look at the message. These count as system: ${namesOf('system')}; ` +
        `as assistant: ${namesOf('assistant')}; as tool: ${namesOf('tool')}; in any case. Any other counts as \`user\`.`,
    }),
    content: Type.String({ description: 'The text to scan; may be empty.' }),
  },
  closed,
);

export const guardRequest = Type.Object(
  {
    messages: Type.Array(message, { minItems: 1, maxItems: limits.messagesMax, description: 'Chat turns.' }),
    app_uuid: Type.Optional(
      uuid('Application whose profile is enforced; without it, the default profile of the user. Any letter case.'),
    ),
    payload: flag('Include the matches with their spans and labels.'),
    breakdown: flag('Include one diagnostic item for every scanned message and detector.'),
    dev_info: flag('Include timing, metadata of the rules that fired, and versions.'),
    project_id: projectId('Project that the scan is attributed to.'),
    position_encoding: Type.Optional(
      Type.Enum(positionEncodings, {
        type: 'string',
        default: 'utf-16',
        description: 'Unit of `start` and `end`: UTF-16 code units, code points (`utf-32`) or UTF-8 bytes.',
      }),
    ),
  },
  closed,
);
export type GuardRequest = Static<typeof guardRequest>;

/** One match in `payload`. */
export const match = Type.Object({
  start: Type.Integer({ minimum: 0, description: 'First unit of the match in the content of its message.' }),
  end: Type.Integer({ minimum: 0, description: 'First unit after the match.' }),
  text: Type.String({ description: 'The original text from `start` to `end`.' }),
  detector_type: policyCode,
  labels: Type.Array(Type.String(), { description: 'What the rules that matched here are called.' }),
  message_id: Type.Integer({ minimum: 0, description: 'Zero-based index of the message.' }),
});

const breakdownItem = Type.Object({
  app_uuid: nullableString('The application; null when the default profile applied.'),
  policy_id: Type.String({ description: 'Id of the profile that was enforced.' }),
  detector_id: Type.String({ description: '`<policy code>:<label>`.' }),
  detector_type: policyCode,
  detected: Type.Boolean(),
  message_id: Type.Integer({ minimum: 0 }),
});

const devInfo = Type.Object({
  git_revision: Type.String(),
  git_timestamp: Type.String({ description: 'Unix seconds.' }),
  model_version: Type.String(),
  version: Type.String(),
  request_id: Type.String(),
  scan_id: Type.String(),
  policy_version: Type.String({ description: 'Hash of the compiled rules and the profile.' }),
  timing: Type.Object(
    { queue: Type.Number(), scan: Type.Number(), total: Type.Number() },
    { description: 'Microseconds.' },
  ),
  scanned_from: Type.Integer({
    minimum: 0,
    description:
      'Index of the first message that was scanned: 0 unless the `scan_scope` of the profile is `latest_turn`.',
  }),
  recalled: Type.Integer({
    minimum: 0,
    description: 'Messages that were scanned before under the same rules, with nothing found, and not again now.',
  }),
  rules: Type.Array(Type.Object({ id: Type.String(), severity, references: Type.Array(Type.String()) }), {
    description: 'The rules that fired.',
  }),
  learned: Type.Array(
    Type.Object({
      detector_type: policyCode,
      message_id: Type.Integer({ minimum: 0 }),
      score: Type.Number({ description: 'Joins the scores of the rules.' }),
      parts: Type.Array(Type.Object({ text: Type.String(), weight: Type.Number() }), {
        description: 'Words of the message that decided: above 0 for an attack, below against.',
      }),
    }),
    { description: 'What the learned model found in the messages as sent.' },
  ),
});

export const guardResponse = Type.Object({
  flagged: Type.Boolean({ description: 'True if at least one enforced policy triggered.' }),
  payload: Type.Optional(
    Type.Array(match, {
      description:
        `Present exactly when asked for. Of one rule the first ${limits.matchesPerRuleMax} matches in a message, of a scan ` +
        `the first ${limits.matchesPerScanMax}.`,
    }),
  ),
  breakdown: Type.Optional(
    Type.Array(breakdownItem, { description: 'Present exactly when asked for: of the messages that were scanned.' }),
  ),
  dev_info: Type.Optional(devInfo),
});

export const resultsQuery = Type.Object(
  {
    page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'Ignored when `cursor` is given.' })),
    per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.perPageMax, default: 20 })),
    project_id: projectId('Only scans of this project.'),
    scan_id: Type.Optional(Type.String({ description: 'Only this scan, with its details.' })),
    flagged: Type.Optional(Type.Boolean({ description: 'Only scans with this verdict.' })),
    app_uuid: Type.Optional(uuid('Only scans of this application.')),
    detector: Type.Optional(
      Type.Enum(policyCodes, { type: 'string', description: 'Only scans with matches of this policy.' }),
    ),
    from: Type.Optional(time('Only scans made at this time or later.')),
    to: Type.Optional(time('Only scans made before this time.')),
    cursor: Type.Optional(
      Type.String({ description: '`meta.next_cursor` of the page before, with the same filters.' }),
    ),
  },
  closed,
);
export type ResultsQuery = Static<typeof resultsQuery>;

const storedMatch = Type.Object({
  start: Type.Integer({ minimum: 0, description: 'In UTF-16 code units.' }),
  end: Type.Integer({ minimum: 0 }),
  detector_type: policyCode,
  labels: Type.Array(Type.String()),
  message_id: Type.Integer({ minimum: 0 }),
  rule_ids: Type.Array(Type.String()),
  severity,
  text: Type.Optional(Type.String({ description: 'Where the text is stored: what stands there in it.' })),
});

const scanRecord = Type.Object({
  id: Type.String({ description: '`scan_` and 32 hexadecimal digits.' }),
  created_at: Type.String({ format: 'date-time', description: 'UTC.' }),
  flagged: Type.Boolean(),
  summary: Type.Object({
    matches: Type.Integer({ minimum: 0 }),
    detectors: Type.Array(policyCode, { description: 'Policies that had matches.' }),
  }),
  project_id: nullableString('Project that the scan was attributed to.'),
  app_uuid: nullableString('The application; null when the default profile applied.'),
  source: Type.Enum(['rest', 'mcp'], { type: 'string' }),
  messages: Type.Optional(
    Type.Object(
      {
        count: Type.Integer({ minimum: 0 }),
        lengths: Type.Array(Type.Integer({ minimum: 0 }), { description: 'UTF-16 code units of each content.' }),
        scanned_from: Type.Integer({ minimum: 0, description: 'Index of the first message that was scanned.' }),
        text: Type.Optional(
          Type.Array(
            Type.Object({
              role: Type.String(),
              content: Type.String(),
              cut: Type.Boolean({ description: 'True where only the beginning is stored, or nothing.' }),
            }),
            {
              description:
                'Only where the profile had the text stored: the first messages, as many as there was room for, those before ' +
                '`scanned_from` without their content. In redacted text each UTF-16 code unit of a secret is U+2588, so that ' +
                'the spans of `matches` hold.',
            },
          ),
        ),
      },
      { description: 'Only with `scan_id`.' },
    ),
  ),
  matches: Type.Optional(
    Type.Array(storedMatch, {
      description: `Only with \`scan_id\`; the first ${limits.recordMatchesMax} of \`summary.matches\`, without their text.`,
    }),
  ),
  stored_text: Type.Optional(
    Type.Enum(['redacted', 'full'], {
      type: 'string',
      description: 'Form of the text that is stored; absent where none is.',
    }),
  ),
  request_id: Type.Optional(Type.String({ description: 'Only with `scan_id`.' })),
  policy_version: Type.Optional(Type.String({ description: 'Only with `scan_id`.' })),
  duration_us: Type.Optional(Type.Number({ description: 'Only with `scan_id`; microseconds.' })),
});

export const resultsResponse = Type.Object({
  data: Type.Array(scanRecord, { description: 'Newest first.' }),
  meta: Type.Object({
    page: Type.Integer({ minimum: 1 }),
    per_page: Type.Integer({ minimum: 1 }),
    total: Type.Integer({ minimum: 0, description: 'Scans that pass the filters, over all pages.' }),
    next_cursor: nullableString('Pass it as `cursor` to go on after this page; null on the last page.'),
  }),
});

export const policiesResponse = Type.Object({
  policy: Type.Record(
    Type.String(),
    Type.Object({
      name: Type.String({ description: 'Title of the policy.' }),
      enabled: Type.Literal(true),
      policy_name: Type.String({ description: 'Lowercase words joined by underscores.' }),
      mode: Type.Enum(policyModes, {
        type: 'string',
        description: '`enforce` flags scans, `monitor` reports matches without flagging.',
      }),
    }),
    { description: 'The enabled policies, by `LLM<nn>__<policy name>`.' },
  ),
});

export const problemResponse = Type.Object(
  {
    type: Type.String({ description: '`urn:merlon:problem:` and a code for machines.' }),
    title: Type.String({ description: 'The kind of problem, the same for all of its occurrences.' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'This occurrence, in words.' }),
    request_id: Type.String({ description: 'The value of `X-Request-Id`.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({
            description: 'JSON pointer (RFC 6901) into the body, or `?name` for a query parameter.',
          }),
          message: Type.String(),
          code: Type.Optional(Type.String({ description: 'Code of the diagnostic, in rules of an organization.' })),
        }),
        { maxItems: limits.problemErrorsMax, description: 'Every invalid field.' },
      ),
    ),
  },
  { description: 'Problem details (RFC 9457).' },
);

export const liveResponse = Type.Object({ status: Type.Literal('live') });

export const readyResponse = Type.Object({
  status: Type.Enum(['ready', 'degraded', 'unavailable'], {
    type: 'string',
    description: '`degraded`: verdicts are given, but something beside them fails, or an assigned profile is missing.',
  }),
  reasons: Type.Array(Type.String(), { description: 'What is wrong, in words; empty when ready.' }),
});
