import { describe, expect, it } from 'vitest';
import type { CustomRule, CustomRules } from '../../src/domain/custom-rules.js';
import { limits } from '../../src/domain/limits.js';
import { compileCustomRules } from '../../src/rules/custom-rules.js';
import { regexCostUs } from '../../src/rules/regex-cost.js';

const shipped = new Set(['LLM01-0001', 'LLM02-0001']);
const compile = (source: Partial<CustomRules>) => compileCustomRules({ rules: [], allow: [], ...source }, shipped);
const rule = (change: Partial<CustomRule>): CustomRule => ({
  id: 'ORG-0001',
  policy: 'LLM02',
  patterns: [{ phrase: 'project falcon' }],
  ...change,
});

describe('rules of an organization', () => {
  it('need no more than a policy and a pattern', () => {
    const { report, program } = compile({ rules: [rule({})] });
    expect(report.diagnostics).toEqual([]);
    expect(program?.rules).toMatchObject([
      { id: 'ORG-0001', policy: 'LLM02', label: 'custom', severity: 'high', score: 0.9 },
    ]);
    expect(report).toMatchObject({ patterns: 1, needles: 1, examples: 0, programBytes: program?.bytesLength });
  });

  it('run the examples that they have', () => {
    const examples = {
      match: ['Project  FALCON!', 'project eagle'],
      clean: ['falcon', 'a project falcon'],
      near: ['projects falcon'],
    };
    const { report, program } = compile({ rules: [rule({ examples })] });
    expect(program).toBeUndefined();
    expect(report.examples).toBe(5);
    expect(report.diagnostics.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['E301', '/rules/0/examples/match/1'],
      ['E303', '/rules/0/examples/clean/1'],
    ]);
  });

  const problems: readonly (readonly [string, Partial<CustomRules>, string, string])[] = [
    ['an id twice', { rules: [rule({}), rule({})] }, 'E104', '/rules/1/id'],
    ['no pattern in a pattern', { rules: [rule({ patterns: [{}] })] }, 'E102', '/rules/0/patterns/0'],
    [
      'two patterns in one',
      { rules: [rule({ patterns: [{ phrase: 'a', regex: 'b' }] })] },
      'E102',
      '/rules/0/patterns/0',
    ],
    [
      'an option of regexes',
      { rules: [rule({ patterns: [{ phrase: 'a', unless: ['b'] }] })] },
      'E102',
      '/rules/0/patterns/0',
    ],
    ['a broken phrase', { rules: [rule({ patterns: [{ phrase: 'a (b' }] })] }, 'E201', '/rules/0/patterns/0/phrase'],
    ['what RE2 refuses', { rules: [rule({ patterns: [{ regex: 'a(?=b)' }] })] }, 'E202', '/rules/0/patterns/0/regex'],
    ['a back-reference', { rules: [rule({ patterns: [{ regex: '(a)\\1' }] })] }, 'E202', '/rules/0/patterns/0/regex'],
    [
      'an unknown validator',
      { rules: [rule({ patterns: [{ regex: 'a', validate: ['x'] }] })] },
      'E203',
      '/rules/0/patterns/0/validate/0',
    ],
    ['the empty text', { rules: [rule({ patterns: [{ regex: 'a*' }] })] }, 'E204', '/rules/0/patterns/0/regex'],
    [
      'a word class',
      { rules: [rule({ patterns: [{ phrase: '{orders} now' }] })] },
      'E205',
      '/rules/0/patterns/0/phrase',
    ],
    [
      'a regex that is dear to compile',
      { rules: [rule({ patterns: [{ regex: 'x\\p{L}{200}' }] })] },
      'E206',
      '/rules/0/patterns/0/regex',
    ],
    ['a rule that is not there', { allow: [{ phrase: 'a b', rules: ['LLM01-0002'] }] }, 'E207', '/allow/0/rules/0'],
    ['nothing that is allowed', { allow: [{ phrase: 'a b' }] }, 'E102', '/allow/0'],
    ['empty lists of what is allowed', { allow: [{ phrase: 'a b', policies: [], rules: [] }] }, 'E102', '/allow/0'],
    ['an allowed gap', { allow: [{ phrase: 'a <3> b', policies: ['LLM01'] }] }, 'E201', '/allow/0/phrase'],
    ['an allowed beginning', { allow: [{ phrase: 'ab*', policies: ['LLM01'] }] }, 'E201', '/allow/0/phrase'],
    ['a broken allowed phrase', { allow: [{ phrase: '(a', policies: ['LLM01'] }] }, 'E201', '/allow/0/phrase'],
  ];
  it.each(problems)('%s is an error at its place', (_, source, code, pointer) => {
    const { report, program } = compile(source);
    expect(program).toBeUndefined();
    expect(report.diagnostics).toMatchObject([{ code, pointer }]);
  });

  it('tell all errors at once, whatever their kind', () => {
    const patterns = [{ regex: 'x\\p{L}{200}' }, { regex: '(' }, {}, { phrase: '(' }, { phrase: 'fine' }];
    const { report } = compile({ rules: [rule({ patterns })], allow: [{ phrase: '(' }] });
    expect(report.diagnostics.map(({ code }) => code).sort()).toEqual(['E102', 'E102', 'E201', 'E201', 'E202', 'E206']);
  });

  it('point at the character', () => {
    const { report } = compile({ rules: [rule({ patterns: [{ phrase: 'ab (c' }] })] });
    expect(report.diagnostics[0].character).toBe(3);
  });

  it('may have warnings', () => {
    const { report, program } = compile({ rules: [rule({ patterns: [{ regex: '[a-z]{3}[A-Z]{3}' }] })] });
    expect(program).toBeDefined();
    expect(report.diagnostics.map(({ code }) => code)).toEqual(['W501']);
  });

  it('may allow matches of rules of both kinds', () => {
    const allow = [{ phrase: 'a b', rules: ['ORG-0001', 'LLM02-0001'] }];
    expect(compile({ rules: [rule({})], allow }).program?.rules.map(({ id }) => id)).toEqual(['ORG-0001', 'ALLOW-1']);
  });
});

describe('limits of them', () => {
  const manyPatterns = (
    count: number,
    make: (place: number) => CustomRule['patterns'][number],
  ): readonly CustomRule[] =>
    Array.from({ length: Math.ceil(count / 1_000) }, (_, index) =>
      rule({
        id: `ORG-${String(index).padStart(4, '0')}`,
        patterns: Array.from({ length: Math.min(1_000, count - index * 1_000) }, (_, place) =>
          make(index * 1_000 + place),
        ),
      }),
    );

  it.each([
    ['customPatternsMax', manyPatterns(limits.customPatternsMax + 1, (place) => ({ phrase: `code ${place}` }))],
    ['customRegexCostTotalUsMax', manyPatterns(6, (place) => ({ regex: `x${place}\\p{L}{99}` }))],
    [
      'customUngatedMax',
      manyPatterns(limits.customUngatedMax + 1, (place) => ({ regex: `[a-z]{${place + 3}}[A-Z]{9}` })),
    ],
    ['customNeedlesMax', manyPatterns(700, (place) => ({ regex: `${place}[ab][cd][ef][gh][ij][kl]` }))],
  ])('%s', (_, rules) => {
    const { report, program } = compile({ rules });
    expect(program).toBeUndefined();
    expect(report.diagnostics.filter(({ code }) => code.startsWith('E'))).toMatchObject([
      { code: 'E208', pointer: '/rules' },
    ]);
  });

  it.each([
    ['(?:[\\p{L}\\p{N}]{1,20} ){1,20}end', true],
    ['\\p{L}{200}', true],
    ['(?:.{1,50}){1,50}', true],
    ['(?:a[^b]{0,40}){12}AKIA', false],
    ['\\b[A-Z]{3}-[0-9]{4,1000}\\b', false],
    ['(a+)+$', false],
    ['(', false],
  ])('the cost of %s', (source, isTooDear) => {
    expect(regexCostUs(source) > limits.customRegexCostUsMax).toBe(isTooDear);
  });
});
