import { describe, expect, it } from 'vitest';
import { measureRules } from '../../src/rules/cost.js';
import { loadCompiledRules } from '../../src/rules/load.js';
import { passesOver } from '../../src/rules/passes.js';
import { makeOneRule } from '../e2e/one-rule.js';

const message = (content: string) => ({ role: 'user', content });
const units = 64 * 1_024;

describe('measureRules', () => {
  it('tells how far it is, and lets others have their turn after each step', async () => {
    const { env, remove } = makeOneRule();
    const { program, profiles } = loadCompiledRules(env.MERLON_RULES);
    remove();
    const messages = ['fine', 'x'.repeat(units), 'a '.repeat(units)].map(message);
    const steps: number[] = [];
    const turnsBefore: number[] = [];
    let turns = 0;
    let whole = 0;
    const report = await measureRules(program, profiles[0], messages, (done, all) => {
      turnsBefore.push(turns);
      steps.push(done);
      whole = all;
      setImmediate(() => turns++);
    });
    expect(report).toMatchObject({ messages: 3, bytes: 4 + 3 * units });
    expect(steps.at(-1)).toBe(whole);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(turnsBefore).toEqual(steps.map((_, place) => place));
  });
});

describe('passesOver', () => {
  it.each([
    ['none', []],
    ['one', ['fine']],
    ['empty ones', ['', '', '']],
    ['short ones', Array.from({ length: 1_000 }, (_, place) => 'x'.repeat(place))],
    ['long ones', ['x'.repeat(3 * units), '', 'y'.repeat(units), 'z'.repeat(units - 1), '!']],
  ])('hands over each message once, in order: %s', async (_, texts) => {
    const messages = texts.map(message);
    const steps: (readonly [number, number])[] = [];
    const pass = passesOver(messages, 2, (...step) => steps.push(step));
    const all = 2 * texts.join('').length;
    for (const done of [all / 2, all]) {
      const seen: (readonly [string, number])[] = [];
      expect(await pass(({ content }, index) => seen.push([content, index]))).toBeGreaterThanOrEqual(0);
      expect(seen).toEqual(texts.map((text, index) => [text, index]));
      if (texts.length > 0) expect(steps.at(-1)).toEqual([done, all]);
    }
  });
});
