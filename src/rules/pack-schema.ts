import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { limits } from '../domain/limits.js';
import { once } from '../domain/once.js';
import { policyCodes, policyModes } from '../domain/policy.js';
import { scanScopes } from '../domain/scan-scope.js';
import { severities } from '../domain/severity.js';
import { detections, spared } from '../engine/program.js';
import { viewKinds } from '../engine/view/kinds.js';

const closed = { additionalProperties: false };

const Text = Type.String({ minLength: 1 });
const Source = Type.String({ minLength: 1, maxLength: limits.patternSourceMax });
/** Longest label, in characters. */
export const labelLengthMax = 64;

const Label = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: labelLengthMax });
const RuleId = Type.String({ pattern: '^LLM\\d\\d-\\d{4}$' });
/** A text, or its parts: a secret in an example is written in parts so that no file contains it whole. */
const Parts = Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]);

const Example = Type.Union([
  Type.String(),
  Type.Array(Type.String(), { minItems: 1 }),
  Type.Object({ text: Parts, hit: Type.Optional(Parts) }, closed),
]);

const PhrasePattern = Type.Object({ phrase: Source }, closed);
const RegexPattern = Type.Object(
  {
    regex: Source,
    ignore_case: Type.Optional(Type.Boolean()),
    validate: Type.Optional(Type.Array(Text)),
    unless: Type.Optional(Type.Array(Text)),
    /** Whose values it finds: services by name, states by their ISO 3166 code. For readers and counts only. */
    of: Type.Optional(Type.Array(Text, { minItems: 1, uniqueItems: true })),
  },
  closed,
);

/** A value that is known by the words beside it: see `named-pattern.ts`. */
const NamedPattern = Type.Object(
  {
    named: Type.Array(Source, { minItems: 1, uniqueItems: true }),
    /** What the value looks like; a number as papers carry it when left out. */
    value: Type.Optional(Source),
    /** Most characters between name and value. */
    within: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    /** Whether the value may also stand before its name. */
    either_side: Type.Optional(Type.Boolean()),
    validate: Type.Optional(Type.Array(Text)),
    unless: Type.Optional(Type.Array(Text)),
    of: Type.Optional(Type.Array(Text, { minItems: 1, uniqueItems: true })),
  },
  closed,
);

const DetectPattern = Type.Object({ detect: Type.Enum([...detections]) }, closed);

const LeastScore = Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 });

const Rule = Type.Object(
  {
    id: RuleId,
    label: Label,
    title: Text,
    severity: Type.Enum(severities),
    score: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
    roles: Type.Optional(
      Type.Array(Type.Enum(['system', 'user', 'assistant', 'tool']), { minItems: 1, uniqueItems: true }),
    ),
    /** By role: what a model says less surely in such messages is no hit. */
    least: Type.Optional(
      Type.Object(
        {
          system: Type.Optional(LeastScore),
          user: Type.Optional(LeastScore),
          assistant: Type.Optional(LeastScore),
          tool: Type.Optional(LeastScore),
        },
        { ...closed, minProperties: 1 },
      ),
    ),
    views: Type.Optional(Type.Array(Type.Enum(viewKinds), { uniqueItems: true })),
    spares: Type.Optional(Type.Array(Type.Enum(spared), { uniqueItems: true })),
    /** Either these, or the id of the rule whose patterns are this one's as well. */
    patterns: Type.Optional(
      Type.Array(Type.Union([PhrasePattern, RegexPattern, NamedPattern, DetectPattern]), { minItems: 1 }),
    ),
    patterns_of: Type.Optional(RuleId),
    /** Where one of these stands shortly before a hit of the patterns on its line, it is none. */
    unless_before: Type.Optional(Type.Array(Text, { minItems: 1, uniqueItems: true })),
    /** Where one of these words stands directly before a hit of the patterns on its line, it is none. */
    unless_after: Type.Optional(Type.Array(Text, { minItems: 1, uniqueItems: true })),
    why: Text,
    misses: Text,
    references: Type.Array(Type.String({ pattern: '^https?://' }), { minItems: 1 }),
    examples: Type.Object(
      {
        match: Type.Array(Example, { minItems: 2 }),
        clean: Type.Array(Example, { minItems: 2 }),
        near: Type.Array(Example, { minItems: 1 }),
      },
      closed,
    ),
  },
  closed,
);

const Pack = Type.Object({ policy: Type.Enum(policyCodes), rules: Type.Array(Rule, { minItems: 1 }) }, closed);

const PolicySetting = Type.Object(
  { mode: Type.Enum(policyModes), threshold: Type.Number({ exclusiveMinimum: 0, maximum: 1 }) },
  closed,
);

const ProfileFile = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9-]{0,63}$' }),
    title: Text,
    /** Name of a file in `models/`, without its extension, or `none`. */
    model: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,63}$' })),
    scan_scope: Type.Optional(Type.Enum(scanScopes)),
    policies: Type.Object(Object.fromEntries(policyCodes.map((code) => [code, Type.Optional(PolicySetting)])), closed),
  },
  closed,
);

const Words = Type.Object(
  {
    words: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]*$' }), Type.Array(Source, { minItems: 1 }), {
      additionalProperties: false,
    }),
  },
  closed,
);

const Retired = Type.Object({ retired: Type.Array(RuleId) }, closed);

/** A rule as its author wrote it. */
export type RuleSource = Static<typeof Rule>;
export type PatternSource = NonNullable<RuleSource['patterns']>[number];
export type ExampleSource = RuleSource['examples']['match'][number];

// Compiled when they are first asked for: five milliseconds each, and a start from the cache asks for one.
export const packSchema = once(() => Compile(Pack));
export const profileSchema = once(() => Compile(ProfileFile));
export const wordsSchema = once(() => Compile(Words));
export const retiredSchema = once(() => Compile(Retired));
