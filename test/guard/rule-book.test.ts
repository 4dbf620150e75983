import { describe, expect, it } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { createRuleBook, ownEntry } from '../../src/guard/rule-book.js';
import { textOf } from '../../src/rules/examples.js';
import { loadShippedRules, rules } from '../shipped-rules.js';

describe('what people read about rules', () => {
  it('is what the rules were made of, whatever became of their files', () => {
    const entries = createRuleBook(loadShippedRules().program).shipped();
    expect(entries.length).toBeGreaterThan(100);
    expect(entries.map(({ id, why, misses, examples }) => [id, why, misses, examples.match])).toEqual(
      rules.map(({ source }) => [
        source.id,
        source.why,
        source.misses,
        source.examples.match
          .slice(0, limits.ruleExamplesMax)
          .map((each) => textOf(each).slice(0, limits.ruleExampleUnitsMax)),
      ]),
    );
    expect(entries.find(({ id }) => id === 'LLM01-0902')?.roles).not.toContain('system');
    expect(entries.every(({ roles }) => roles.length > 0)).toBe(true);
  });

  it('is of own rules what shipped ones of their policy have where they do not say', () => {
    const shipped = createRuleBook(loadShippedRules().program).shipped();
    for (const policy of ['LLM01', 'LLM02'] as const) {
      const { views } = ownEntry({ policy, patterns: [{ phrase: 'project falcon' }] });
      expect(views.length).toBeGreaterThan(10);
      expect(
        shipped.map((entry) => entry.views),
        policy,
      ).toContainEqual(views);
    }
  });
});
