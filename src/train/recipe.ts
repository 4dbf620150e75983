import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { policyCodes } from '../domain/policy.js';
import { headsMax } from '../engine/learned/model.js';

const closed = { additionalProperties: false };
const Sources = Type.Array(Type.String({ minLength: 1 }));
const roles = ['user', 'assistant', 'tool'] as const;
const Budget = Type.Object(
  {
    /** Share of benign samples that rules and model together may flag for the policy. */
    false_positives: Type.Number({ minimum: 0, maximum: 0.5 }),
    /** Roles that the model is asked about, as the rule that speaks for it says; `defaultRoles` when left out. */
    roles: Type.Optional(Type.Array(Type.Enum(roles), { minItems: 1, uniqueItems: true })),
    /** Roles whose attacks are learned from: what asks for instructions and what tells them share a policy, not their words. All when left out. */
    attacks_of: Type.Optional(Type.Array(Type.Enum(roles), { minItems: 1, uniqueItems: true })),
    /** What stands below the root of every sum, in squares of values, so that a few words alone say little; none when left out. */
    prior: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    /** How much more a longer text's sum must be, for each e times the length; nothing when left out. */
    length_cost: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
  },
  closed,
);

/** What comes from outside: the model's own words and the operator's are none of an attacker's. */
export const defaultRoles: readonly (typeof roles)[number][] = ['user', 'tool'];

/** What a model may be called: `model_version` says it. */
export const modelNamePattern = '^[a-z0-9][a-z0-9._-]{0,63}$';

/** How a model is made, as written in a file: what is left out is as in `defaultRecipe`. */
const Recipe = Type.Object(
  {
    /** What `model_version` says. */
    name: Type.Optional(Type.String({ pattern: modelNamePattern })),
    /** One head each; four, or of a model of words alone eight. */
    policies: Type.Optional(
      Type.Object(Object.fromEntries(policyCodes.map((code) => [code, Type.Optional(Budget)])), {
        ...closed,
        minProperties: 1,
        maxProperties: headsMax,
      }),
    ),
    /** A model of words alone, without their sequences and classes: as many heads as there are, and cheap. */
    words_only: Type.Optional(Type.Boolean()),
    learner: Type.Optional(Type.Enum(['logistic', 'hinge'])),
    cost: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000 })),
    attack_factor: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000 })),
    /** How many times as much attacks may weigh whose language has few of them beside its peace; 1, for none, when left out. */
    language_factor: Type.Optional(Type.Number({ minimum: 1, maximum: 100 })),
    passes: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    rounds: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    /** Share of the weights that is learned from whole texts instead of windows; none when left out. */
    whole_texts: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    features: Type.Optional(Type.Integer({ minimum: 100, maximum: 200_000 })),
    frequency_min: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    folds: Type.Optional(Type.Integer({ minimum: 2, maximum: 50 })),
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
    families: Type.Optional(Type.Record(Type.String(), Sources)),
    /** For one role alone: its attacks are learned from, and the benign messages of all roles but the operator's as if they were its. */
    role: Type.Optional(Type.Enum(roles)),
    /** Sources that are not learned from. */
    judged_only: Type.Optional(Sources),
    /** Sources that are learned from, but say nothing of real traffic: no part of what thresholds are set by. */
    not_counted: Type.Optional(Sources),
    /**
     * Benign sources, by how their names begin, that are judged by source: none of them on both sides of a fold, and no
     * more than `added` of their messages flagged because of the model, whatever other benign messages would allow.
     */
    ordinary: Type.Optional(
      Type.Object({ sources: Type.String({ minLength: 1 }), added: Type.Number({ minimum: 0, maximum: 0.5 }) }, closed),
    ),
  },
  closed,
);

export const recipeSchema = Compile(Recipe);

export type Recipe = Required<Omit<Static<typeof Recipe>, 'ordinary' | 'role'>> &
  Pick<Static<typeof Recipe>, 'ordinary' | 'role'>;

/** What won in cross-validation (`docs/learned.md`). */
export const defaultRecipe: Recipe = {
  name: 'own',
  policies: { LLM01: { false_positives: 0.005 } },
  words_only: false,
  learner: 'logistic',
  cost: 4,
  attack_factor: 2,
  language_factor: 1,
  passes: 8,
  rounds: 3,
  whole_texts: 0,
  features: 20_000,
  frequency_min: 3,
  folds: 6,
  seed: 1,
  families: {},
  judged_only: [],
  not_counted: [],
};
