import Type, { type Static } from 'typebox';
import { policyCodes, policyModes } from '../domain/policy.js';
import { textForms } from '../domain/profile.js';
import { type ScanScope, scanScopes } from '../domain/scan-scope.js';
import { closed, nullableString } from './schemas.js';

/** The wire shapes of profiles. */

const setting = Type.Object(
  {
    mode: Type.Enum(policyModes, {
      type: 'string',
      description: '`enforce` flags scans, `monitor` reports matches without flagging, `off` leaves the policy out.',
    }),
    threshold: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      description: 'The policy triggers in a message whose score reaches this.',
    }),
  },
  closed,
);

/** Settings of policies; one that is left out is off. */
export const policySettings = Type.Object(
  Object.fromEntries(policyCodes.map((code) => [code, Type.Optional(setting)])),
  { ...closed, description: 'By code; a policy that is left out is off.' },
);

const title = Type.String({ minLength: 1, maxLength: 128, description: 'What people call it.' });
const storeText = Type.Enum(textForms, {
  type: 'string',
  description: 'Which text is kept with the records of its scans: none, all but secrets, or all.',
});
/** Which messages a profile has scanned. */
export const scanScope = scanScopeWith({});

const baseVersion = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: 'The version that is changed, 0 for a new profile: if it is another by now, nothing changes.',
  }),
);

export const profileRequest = Type.Object(
  {
    title,
    policies: policySettings,
    store_text: storeText,
    // Clients that do not know of it leave it out, and with it nothing unread.
    scan_scope: Type.Optional(scanScopeWith({ default: 'all' })),
    base_version: baseVersion,
  },
  closed,
);

export const rollbackRequest = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: 'The version to go back to.' }),
    base_version: baseVersion,
  },
  closed,
);

const openSettings = Type.Record(
  Type.String(),
  Type.Object({ mode: Type.Enum(policyModes, { type: 'string' }), threshold: Type.Number() }),
  { description: 'By code.' },
);
const version = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
  description: 'Grows with every change; null for a shipped profile.',
});
const updated = {
  updated_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  updated_by: nullableString('Id of the user; null where it was done on the command line, and for shipped profiles.'),
  updated_by_email: nullableString('E-mail of that user; null where the user is gone, too.'),
};

export const profileRecord = Type.Object({
  id: Type.String(),
  title: Type.String(),
  origin: Type.Enum(['shipped', 'organization'], { type: 'string' }),
  policies: openSettings,
  store_text: storeText,
  scan_scope: scanScope,
  version,
  ...updated,
  used_by: Type.Object(
    { applications: Type.Integer({ minimum: 0 }), users: Type.Integer({ minimum: 0 }) },
    { description: 'What it is assigned to.' },
  ),
});

export const profilesResponse = Type.Object({
  data: Type.Array(profileRecord, { description: 'The shipped ones first, then those of the organization by id.' }),
});

export const profileHistoryResponse = Type.Object({
  data: Type.Array(
    Type.Object({
      version: Type.Integer({ minimum: 1 }),
      title: Type.String(),
      policies: openSettings,
      store_text: storeText,
      scan_scope: scanScope,
      ...updated,
    }),
    { description: 'Newest first, today’s included.' },
  ),
});

export const profileExamples = {
  strict: {
    summary: 'Stricter about injections, silent about misinformation',
    value: {
      title: 'Checkout',
      policies: {
        LLM01: { mode: 'enforce', threshold: 0.3 },
        LLM02: { mode: 'enforce', threshold: 0.5 },
        LLM09: { mode: 'off', threshold: 0.5 },
      },
      store_text: 'redacted',
      scan_scope: 'latest_turn',
      base_version: 2,
    },
  },
};

export const rollbackExamples = { back: { summary: 'To the second version', value: { version: 2 } } };

const stateExample = {
  title: 'Checkout',
  policies: { LLM01: { mode: 'enforce' as const, threshold: 0.3 } },
  store_text: 'redacted' as const,
  scan_scope: 'latest_turn' as const,
  version: 3,
  updated_at: '2026-01-31T08:00:00.000Z',
  updated_by: '6f2b0c1e-8f5d-4a57-9d1c-3b9f0a7e4d21',
  updated_by_email: 'ada@example.org',
};

export const profileRecordExample: Static<typeof profileRecord> = {
  id: 'checkout',
  origin: 'organization',
  ...stateExample,
  used_by: { applications: 1, users: 0 },
};

export const profileHistoryExample: Static<typeof profileHistoryResponse> = { data: [stateExample] };

function scanScopeWith(options: { readonly default?: ScanScope }) {
  return Type.Enum(scanScopes, {
    type: 'string',
    ...options,
    description:
      'Which messages of a request are scanned: `all`, or those of the `latest_turn`. Where the conversation ends with ' +
      'messages of the assistant, the latest turn is those alone; otherwise it is everything after the last message of the ' +
      'assistant, tool results included; where the assistant has not spoken, everything. The assistant is the role ' +
      '`assistant`, `model`, `ai`, `bot` or `chatbot`; its messages at the end do not count where they have no text. What comes before is neither ' +
      'scanned nor matched, and `scanned_from` tells where scanning began.',
  });
}
