import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { customRulesRequest } from '../../src/api/custom-rules-schemas.js';
import { policyCodes } from '../../src/domain/policy.js';
import { detections } from '../../src/engine/program.js';
import { packSchema, wordsSchema } from '../../src/rules/pack-schema.js';
import { parseYamlFile } from '../../src/rules/yaml-file.js';
import { recipeSchema } from '../../src/train/recipe.js';
import { packText } from './pack-text.js';

type Schema = Parameters<typeof parseYamlFile>[2];

function problemsIn(text: string, schema: Schema): readonly string[] {
  return parseYamlFile('a.yaml', text, schema).diagnostics.map(({ message }) => message);
}

const noForm = ': must have one of phrase, regex, named, detect, and only one';

describe('problems of a pattern', () => {
  it.each([
    ["{ regex: 'AKIA[0-9A-Z]{16}', validate: luhn }", ['.validate: must be array']],
    ['{ regex: drop all, ignorecase: true }', ['.ignorecase: there is no such key']],
    ["{ regex: '' }", ['.regex: must not have fewer than 1 characters']],
    ["{ regex: drop, ignore_case: 'yes' }", ['.ignore_case: must be boolean']],
    ["{ regex: drop, unless: [''] }", ['.unless.0: must not have fewer than 1 characters']],
    ['{ named: drop }', ['.named: must be array']],
    ['{ named: [drop], within: -5 }', ['.within: must be >= 1']],
    ['{ named: 5, a: 1, b: 1 }', ['.a: there is no such key', '.b: there is no such key', '.named: must be array']],
    ['{ detect: foo }', [`.detect: must be one of ${detections.join(', ')}`]],
    ['{ phrase: 5 }', ['.phrase: must be string']],
    ['{ phrase: drop, ignore_case: true }', ['.ignore_case: there is no such key']],
    ['{ phrase: drop, regex: drop }', [noForm]],
    ['{ value: drop }', [noForm]],
    ['{}', [noForm]],
    ['drop', [noForm]],
  ])('%s', (pattern, expected) => {
    expect(problemsIn(packText([pattern]), packSchema())).toEqual(expected.map((each) => `rules.0.patterns.0${each}`));
  });

  it('are told of a regex that is too long', () => {
    const problem = 'rules.0.patterns.0.regex: must not have more than 4096 characters';
    expect(problemsIn(packText([`{ regex: ${'a'.repeat(4_097)} }`]), packSchema())).toEqual([problem]);
  });

  it('are told of every pattern, however many there are', () => {
    const patterns = Array.from({ length: 40 }, (_, index) => `{ named: [a], within: -${index + 1} }`);
    expect(problemsIn(packText(patterns), packSchema())).toEqual(
      patterns.map((_, index) => `rules.0.patterns.${index}.within: must be >= 1`),
    );
  });
});

describe('problems of', () => {
  it.each<[what: string, text: string, schema: Schema, expected: readonly string[]]>([
    [
      'examples',
      packText(['phrase: a']).replace('match: [a, b]', 'match: [5, { txt: a }, { text: [1] }, []]'),
      packSchema(),
      [
        'rules.0.examples.match.0: must be string or array or object',
        'rules.0.examples.match.1: must have required properties text',
        'rules.0.examples.match.1.txt: there is no such key',
        'rules.0.examples.match.2.text.0: must be string',
        'rules.0.examples.match.3: must not have fewer than 1 items',
      ],
    ],
    [
      'word classes',
      'words:\n  drop: []\n  Keep: [a]\n',
      wordsSchema(),
      ['words.Keep: there is no such key', 'words.drop: must not have fewer than 1 items'],
    ],
    [
      'rules of an organization',
      'rules:\n  - policy: LLM20\n    patterns:\n      - { regex: a, validate: luhn }\n      - { named: [a] }\n',
      Compile(customRulesRequest),
      [
        'rules.0.patterns.0.validate: must be array',
        'rules.0.patterns.1.named: there is no such key',
        `rules.0.policy: must be one of ${policyCodes.join(', ')}`,
      ],
    ],
    [
      'a recipe',
      'learner: best\npolicies: { LLM01: { roles: [user, system] } }\nseeds: 1\n',
      recipeSchema,
      [
        'learner: must be one of logistic, hinge',
        'policies.LLM01.roles.1: must be one of user, assistant, tool',
        'policies.LLM01: must have required properties false_positives',
        'seeds: there is no such key',
      ],
    ],
    ['a file that is a list', '[]', recipeSchema, ['the file: must be object']],
  ])('%s', (_, text, schema, expected) => {
    expect([...problemsIn(text, schema)].sort()).toEqual([...expected].sort());
  });
});
