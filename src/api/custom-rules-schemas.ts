import Type, { type Static } from 'typebox';
import { customRoles } from '../domain/custom-rules.js';
import { limits } from '../domain/limits.js';
import { policyCode, severity, time } from './schemas.js';

/** The wire shapes of an organization's own rules; also what a file of them is checked against. */

const closed = { additionalProperties: false };
const text = (description: string) => Type.String({ minLength: 1, maxLength: limits.customTextUnitsMax, description });
const texts = (description: string, most: number = limits.customNamesMax) =>
  Type.Array(text(''), { maxItems: most, description });
const source = (description: string) => Type.String({ minLength: 1, maxLength: limits.patternSourceMax, description });

/** Requests are closed; answers are open, because within `v1` fields may be added. */
type Openness = typeof closed | Record<never, never>;

const patternOf = (openness: Openness) =>
  Type.Object(
    {
      phrase: Type.Optional(source('Words as a person reads them, in the notation of rule packs. Any letter case.')),
      regex: Type.Optional(
        source('What RE2 and ECMAScript (u mode) both take. A group named `hit` is what is marked.'),
      ),
      ignore_case: Type.Optional(Type.Boolean({ description: 'With `regex` only; false when left out.' })),
      validate: Type.Optional(texts('With `regex` only: validators that the match must pass.')),
      unless: Type.Optional(texts('With `regex` only: texts that make a match a known dummy.')),
    },
    { ...openness, description: 'Either `phrase` or `regex`.' },
  );

const ruleIdPattern = '^ORG-[0-9]{4}$';

const ruleOf = (openness: Openness) =>
  Type.Object(
    {
      id: Type.Optional(
        Type.String({
          pattern: ruleIdPattern,
          description:
            '`ORG-` and four digits. Left out, the service gives the next one, and none twice. Whoever names ids may name ' +
            'that of a rule that was removed, which then stands for both. Far beyond the last one given ' +
            `(${limits.customIdLeapMax}) no others are given until that rule has another id.`,
        }),
      ),
      policy: policyCode,
      label: Type.Optional(
        Type.String({
          pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
          maxLength: 64,
          default: 'custom',
          description: 'Names the detector `<policy>:<label>`.',
        }),
      ),
      title: Type.Optional(text('What a match says.')),
      severity: Type.Optional(severity),
      score: Type.Optional(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 1,
          default: 0.9,
          description: 'How much a match says; below 0.5 it is only a hint in the default profile.',
        }),
      ),
      roles: Type.Optional(
        Type.Array(Type.Enum(customRoles, { type: 'string' }), {
          minItems: 1,
          maxItems: customRoles.length,
          description: 'Messages that the rule looks at; all when left out.',
        }),
      ),
      patterns: Type.Array(patternOf(openness), { minItems: 1, maxItems: limits.customRulePatternsMax }),
      why: Type.Optional(text('Why a match is a risk.')),
      misses: Type.Optional(text('What the rule is known not to see.')),
      references: Type.Optional(texts('Addresses to read on at.')),
      examples: Type.Optional(
        Type.Object(
          {
            match: Type.Optional(texts('Texts that the rule must match.')),
            clean: Type.Optional(texts('Texts that it must not match.')),
            near: Type.Optional(texts('Texts that look alike and that it must not match.')),
          },
          { ...openness, description: 'Run at every check.' },
        ),
      ),
    },
    openness,
  );

const allowedOf = (openness: Openness) =>
  Type.Object(
    {
      phrase: source('Every word of it: gaps and word endings are refused.'),
      policies: Type.Optional(
        Type.Array(policyCode, { maxItems: limits.customNamesMax, description: 'Policies whose matches it covers.' }),
      ),
      rules: Type.Optional(
        Type.Array(Type.String({ pattern: '^(LLM[0-9]{2}|ORG)-[0-9]{4}$' }), {
          maxItems: limits.customNamesMax,
          description: 'Rules whose matches it covers: ids of shipped rules or of these.',
        }),
      ),
      why: Type.Optional(text('Why it is allowed.')),
      owner: Type.Optional(text('Who answers for it.')),
      expires_at: Type.Optional(time('From then on it allows nothing any more.')),
    },
    {
      ...openness,
      description: 'A match within this phrase does not count, where it is of one of the policies or rules.',
    },
  );

/** Body of a check or a change; a file of rules has the same form. */
export const customRulesRequest = Type.Object(
  {
    rules: Type.Optional(
      Type.Array(ruleOf(closed), { maxItems: limits.customRulesMax, description: 'None when left out.' }),
    ),
    allow: Type.Optional(
      Type.Array(allowedOf(closed), { maxItems: limits.customAllowedMax, description: 'None when left out.' }),
    ),
  },
  closed,
);
export type CustomRulesRequest = Static<typeof customRulesRequest>;

export const baseRulesVersion = Type.Optional(
  Type.Union([Type.String(), Type.Null()], {
    description:
      'The `version` that is changed, null where there were no rules: if it is another by now, nothing changes.',
  }),
);
export const savedRulesRequest = Type.Object(
  { ...customRulesRequest.properties, base_version: baseRulesVersion },
  closed,
);

const diagnostic = Type.Object({
  code: Type.String({ description: '`E…` keeps the rules from being saved, `W…` does not.' }),
  pointer: Type.String({ description: 'JSON pointer (RFC 6901) into the body.' }),
  character: Type.Integer({ minimum: 0, description: 'Place in that text, in UTF-16 code units from 0.' }),
  message: Type.String(),
});

const toldRule = Type.Object({
  ...ruleOf({}).properties,
  id: Type.String({ pattern: ruleIdPattern, description: '`ORG-` and four digits.' }),
});
const ruleSet = {
  rules: Type.Array(toldRule, { description: 'As they were given, each with its id.' }),
  allow: Type.Array(allowedOf({}), { description: 'As it was given.' }),
};
const diagnostics = Type.Array(diagnostic, { description: 'Empty where all is well.' });

export const customRulesResponse = Type.Object({
  version: Type.Union([Type.String(), Type.Null()], {
    description: 'Names this state; null where there are no rules.',
  }),
  updated_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  updated_by: Type.Union([Type.String(), Type.Null()], {
    description: 'Id of the user; null where it was done on the command line.',
  }),
  ...ruleSet,
  diagnostics: Type.Optional(diagnostics),
});

export const checkedRulesResponse = Type.Object({
  valid: Type.Boolean({ description: 'True where these rules could be saved.' }),
  diagnostics,
  patterns: Type.Integer({ minimum: 0 }),
  needles: Type.Integer({ minimum: 0 }),
  examples: Type.Integer({ minimum: 0, description: 'Examples that were run.' }),
  program_bytes: Type.Integer({ minimum: 0, description: 'Size of the compiled rules.' }),
  ...ruleSet,
});
