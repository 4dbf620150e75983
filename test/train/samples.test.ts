import { expect, it } from 'vitest';
import { sampleReader } from '../../src/commands/train-samples.js';
import type { Sample } from '../../src/eval/sample.js';
import { defaultRecipe } from '../../src/train/recipe.js';
import { programOfRules } from '../engine/program-of.js';

const program = programOfRules([
  { patterns: [{ phrase: 'of users' }], roles: ['user'] },
  { patterns: [{ phrase: 'of tools' }], roles: ['tool'], score: 0.4 },
]);

function sample(role: string, label: 'attack' | 'benign', policies: Sample['policies'] = ['LLM01']): Sample {
  const isAttack = label === 'attack';
  const text = 'Of users, of tools.';
  const about = { id: role, source: 's', lang: 'en', attackType: 'injection', license: 'MIT' };
  return { ...about, text, role, isAttack, policies: isAttack ? policies : [] };
}

it('takes messages as they are where the recipe is for no role', () => {
  const read = sampleReader(program, defaultRecipe);
  expect(read(sample('assistant', 'benign'))).toMatchObject({ role: 'assistant', evidence: {}, isLearned: true });
  expect(read(sample('user', 'attack'))?.evidence.LLM01).toBeCloseTo(-Math.log(0.4));
  expect(read(sample('user', 'attack', ['LLM05']))).toBeUndefined();
});

it('takes benign messages of all roles but the operator for those of a recipe, and attacks of that role alone', () => {
  const read = sampleReader(program, { ...defaultRecipe, role: 'tool' });
  expect(read(sample('user', 'benign'))?.role).toBe('tool');
  expect(read(sample('user', 'benign'))?.evidence.LLM01).toBeCloseTo(-Math.log(0.6));
  expect(read(sample('function', 'attack'))?.role).toBe('tool');
  expect(read(sample('user', 'attack'))).toBeUndefined();
  expect(read(sample('developer', 'benign'))).toBeUndefined();
});

it('takes attacks of a policy from the roles that it learns from', () => {
  const policies = {
    LLM01: { false_positives: 0.005 },
    LLM07: { false_positives: 0.005, attacks_of: ['assistant' as const] },
  };
  const read = sampleReader(program, { ...defaultRecipe, policies });
  expect(read(sample('assistant', 'attack', ['LLM07']))?.policies).toEqual(['LLM07']);
  expect(read(sample('user', 'attack', ['LLM01', 'LLM07']))?.policies).toEqual(['LLM01']);
  expect(read(sample('user', 'attack', ['LLM07']))).toBeUndefined();
  expect(read(sample('user', 'benign'))).toMatchObject({ isAttack: false, policies: [] });
});
