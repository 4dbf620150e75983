import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/domain/limits.js';
import type { PolicyCode } from '../../../src/domain/policy.js';
import type { PolicySetting } from '../../../src/domain/profile.js';
import { scanMessages } from '../../../src/engine/judge/judge.js';
import { compileProfile, restrictProfile } from '../../../src/engine/judge/profile.js';
import { createScanner } from '../../../src/engine/scanner.js';
import { programOf, programOfRules } from '../program-of.js';

const program = programOf([{ phrase: 'alpha' }, { phrase: 'beta' }, { phrase: 'alpha beta' }], { score: 0.4 });
const scanner = createScanner(program);

function judge(setting: PolicySetting, ...contents: readonly string[]) {
  const profile = compileProfile({ id: 'test', title: 'Test', policies: { LLM01: setting } }, program);
  const messages = contents.map((content) => ({ role: 'user', content }));
  return scanMessages(scanner, profile, messages);
}

/** As long as two words may stand apart, from beginning to beginning of `alpha` and what follows. */
const page = '.'.repeat(limits.evidenceUnits - 'alpha'.length);

const enforce = (threshold: number): PolicySetting => ({ mode: 'enforce', threshold });

describe('scanMessages', () => {
  it.each([
    ['nothing found', enforce(0.1), ['gamma'], false, undefined, 0],
    ['one rule below the threshold: evidence, no finding', enforce(0.5), ['alpha'], false, 0.4, 0],
    ['one rule at the threshold', enforce(0.4), ['alpha'], true, 0.4, 1],
    ['the same rule twice counts once', enforce(0.5), ['alpha alpha'], false, 0.4, 0],
    ['two rules combine', enforce(0.64), ['alpha, beta'], true, 0.64, 2],
    ['three rules combine', enforce(0.7), ['alpha beta'], true, 0.784, 3],
    ['messages do not add up', enforce(0.5), ['alpha', 'beta'], false, 0.4, 0],
    [
      'the highest message counts, and what is found is found there',
      enforce(0.6),
      ['alpha', 'alpha, beta'],
      true,
      0.64,
      2,
    ],
    ['two rules on one page combine', enforce(0.64), [`alpha${page}beta`], true, 0.64, 2],
    ['two rules further apart do not', enforce(0.64), [`alpha${page} beta`], false, 0.4, 0],
    ['of several pages the worst counts', enforce(0.7), [`beta${page}, alpha${page}, alpha beta`], true, 0.784, 3],
    ['monitor finds without flagging', { mode: 'monitor', threshold: 0.4 }, ['alpha'], false, 0.4, 1],
    ['off sees nothing', { mode: 'off', threshold: 0.1 }, ['alpha'], false, undefined, 0],
    ['empty content', enforce(0.1), [''], false, undefined, 0],
  ] as [string, PolicySetting, string[], boolean, number | undefined, number][])(
    '%s',
    (_, setting, contents, flagged, score, findings) => {
      const verdict = judge(setting, ...contents);
      expect(verdict.flagged).toBe(flagged);
      expect(verdict.scores.LLM01).toBe(score);
      expect(verdict.findings).toHaveLength(findings);
      expect(verdict.policies).toEqual(findings > 0 ? ['LLM01'] : []);
    },
  );

  it('orders findings by message, start, end and joins rules that mark the same span', () => {
    const joined = programOf([{ phrase: 'alpha' }, { regex: 'alph[a]' }, { phrase: 'alpha beta' }]);
    const profile = compileProfile({ id: 'p', title: 'P', policies: { LLM01: enforce(0.5) } }, joined);
    const verdict = scanMessages(createScanner(joined), profile, [
      { role: 'user', content: 'alpha beta' },
      { role: 'tool', content: 'alpha' },
    ]);
    expect(verdict.findings.map(({ messageId, start, end, ruleIds }) => [messageId, start, end, ruleIds])).toEqual([
      [0, 0, 5, ['LLM01-0001', 'LLM01-0002']],
      [0, 0, 10, ['LLM01-0003']],
      [1, 0, 5, ['LLM01-0001', 'LLM01-0002']],
    ]);
  });

  it('shows of a value of LLM02 no part that is less sure, and of other policies every match', () => {
    const shown = (scores: readonly number[], policy: PolicyCode) => {
      const regexes = [{ regex: '[0-9]{3} [0-9]{3}' }, { regex: '[0-9]{3} [0-9]{3} [A-Z]' }];
      const values = programOfRules(regexes.map((regex, i) => ({ patterns: [regex], score: scores[i], policy })));
      const profile = compileProfile({ id: 'p', title: 'P', policies: { [policy]: enforce(0.5) } }, values);
      const messages = [{ role: 'user', content: '123 456 and 123 456 K' }];
      const { findings, scores: reached } = scanMessages(createScanner(values), profile, messages);
      expect(reached[policy]).toBeGreaterThan(Math.max(...scores));
      return findings.map(({ start, end }) => [start, end]);
    };
    const whole = [
      [0, 7],
      [12, 21],
    ];
    const part = [12, 19];
    expect(shown([0.5, 0.6], 'LLM02')).toEqual(whole);
    expect(shown([0.6, 0.6], 'LLM02')).toEqual(whole);
    expect(shown([0.7, 0.6], 'LLM02')).toEqual([whole[0], part, whole[1]]);
    expect(shown([0.5, 0.6], 'LLM01')).toEqual([whole[0], part, whole[1]]);
  });

  it('narrows a profile to chosen policies', () => {
    const profile = compileProfile({ id: 'p', title: 'P', policies: { LLM01: enforce(0.4) } }, program);
    const only = (codes: readonly PolicyCode[]) =>
      scanMessages(scanner, restrictProfile(profile, codes, program), [{ role: 'user', content: 'alpha' }]).flagged;
    expect(only(['LLM01', 'LLM02'])).toBe(true);
    expect(only(['LLM02'])).toBe(false);
  });
});
