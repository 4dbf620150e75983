import Type, { type Static } from 'typebox';
import { flag, guardRequest, guardResponse, match, severity } from '../api/schemas.js';
import type { Wire } from '../api/wire.js';
import { limits } from '../domain/limits.js';

/** The wire shapes of the MCP tool, made of the REST interface's own wherever the two agree. */

const closed = { additionalProperties: false };
const { app_uuid, payload } = guardRequest.properties;

/** Arguments of the tool. Closed, because a misspelt `playload` must not silently scan without spans. */
export const scanArguments = Type.Object(
  {
    messages: Type.Array(
      Type.Object(
        {
          role: Type.Optional(
            Type.String({
              maxLength: limits.roleLengthMax,
              default: 'user',
              description: 'Who wrote it: `user`, `assistant`, `system`, `tool` or any other.',
            }),
          ),
          content: Type.String({ minLength: 1, description: 'The text to scan.' }),
        },
        closed,
      ),
      {
        minItems: 1,
        maxItems: limits.messagesMax,
        description: 'The messages to scan, oldest first.',
      },
    ),
    app_uuid,
    payload,
    breakdown: flag('Include the number of matches and the gravest severity of each policy.'),
    dev_info: flag('Include ids and versions for support.'),
    metadata: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Anything that helps to find this call in the server’s log. Not interpreted; do not put secrets here.',
        },
      ),
    ),
  },
  closed,
);
export type ScanArguments = Static<typeof scanArguments>;

const policyHits = Type.Object({
  count: Type.Integer({ minimum: 1, description: 'Number of matches.' }),
  severity,
});

/** What the tool gives, as structured content and as JSON text. Open, because fields may be added. */
export const scanOutput = Type.Object({
  flagged: guardResponse.properties.flagged,
  payload: Type.Optional(Type.Array(match, { description: 'Present exactly when asked for.' })),
  breakdown: Type.Optional(
    Type.Record(Type.String(), policyHits, {
      description: 'Present exactly when asked for: the policies that had matches, by their code (`LLM01` to `LLM10`).',
    }),
  ),
  dev_info: Type.Optional(
    Type.Object(
      {
        request_id: Type.String({ format: 'uuid' }),
        policy_version: Type.String({ description: 'Hash of the compiled rules and the profile.' }),
        model_version: Type.String(),
        scan_id: Type.String(),
        scanned_from: Type.Integer({
          minimum: 0,
          description:
            'Index of the first message that was scanned: 0 unless the profile has the latest turn scanned alone.',
        }),
        recalled: Type.Integer({ minimum: 0, description: 'Messages known to be clean from before.' }),
      },
      { description: 'Present exactly when asked for.' },
    ),
  ),
});
export type ScanOutput = Wire<Static<typeof scanOutput>>;
