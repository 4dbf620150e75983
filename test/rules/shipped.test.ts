import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shippedRulesFolder } from '../../src/config.js';
import { isError } from '../../src/domain/diagnostic.js';
import { policyCodes } from '../../src/domain/policy.js';
import { Collector, type Matches } from '../../src/engine/collector.js';
import { scanMessages } from '../../src/engine/judge/judge.js';
import { createMachinery, runPlainly } from '../../src/engine/match-steps.js';
import { allRoles } from '../../src/engine/program.js';
import { passesFlank } from '../../src/engine/regex/flank.js';
import { createScanner } from '../../src/engine/scanner.js';
import { formatDiagnostic } from '../../src/rules/diagnostic.js';
import { runExamples, textOf } from '../../src/rules/examples.js';
import { readOrdinaryMessages } from '../../src/rules/gates.js';
import { compileShippedRules, examples, rules, textsOf } from '../shipped-rules.js';

const { program, profiles, diagnostics } = compileShippedRules();
const everyRule = new Uint8Array(program.rules.length).fill(1);

describe('the shipped rules', () => {
  it('compile and pass their own examples', () => {
    const errors = [...diagnostics, ...runExamples(program, rules).diagnostics].filter(isError);
    expect(errors.map(formatDiagnostic)).toEqual([]);
  });

  it('find in lines of Windows what they find in others', () => {
    const inWindows = rules.map((rule) => {
      const match = JSON.stringify(rule.source.examples.match.filter((each) => textOf(each).includes('\n')));
      const examples = { ...rule.source.examples, match: JSON.parse(match.replaceAll('\\n', '\\r\\n')) };
      return { ...rule, source: { ...rule.source, examples } };
    });
    expect(inWindows.flatMap(({ source }) => source.examples.match).length).toBeGreaterThan(60);
    const errors = runExamples(program, inWindows).diagnostics.filter(isError);
    expect(errors.map(formatDiagnostic)).toEqual([]);
  });

  it('have automata for ASCII whose rows are not paged: a step of theirs is the commonest thing that a scan does', () => {
    const paged = program.automata.map(({ alphabet, isPaged }) => `${alphabet} ${isPaged}`);
    expect(paged).toEqual(['ascii false', 'ascii false', 'beyond true']);
  });

  it('have no digit for a needle, and nearly all numbers of ordinary messages are turned away by the flanks of each group', () => {
    expect(program.needles.filter((needle) => /^[0-9]$/.test(needle))).toEqual([]);
    const { digits } = program.outputs;
    const numbers = readOrdinaryMessages(shippedRulesFolder).messages.flatMap((text) =>
      [...text.matchAll(/[0-9]+/g)].map(({ index }) => ({ text, index })),
    );
    const passing = numbers.flatMap(({ text, index }) =>
      digits.filter(
        ({ before, after }) =>
          (before === 0 || passesFlank(program.bytes, before, text, index - 1, -1)) &&
          (after === 0 || passesFlank(program.bytes, after, text, index, 1)),
      ),
    );
    expect(numbers.length).toBeGreaterThan(50);
    expect(digits.length).toBeGreaterThan(2);
    expect(passing.length).toBeLessThan(0.1 * numbers.length);
  });

  it.each(policyCodes)('%s has a first set', (code) => {
    const wanted = ['LLM01', 'LLM02', 'LLM05', 'LLM07'].includes(code) ? 10 : 3;
    expect(rules.filter(({ policy }) => policy === code).length).toBeGreaterThanOrEqual(wanted);
  });

  it('have the profiles default, strict and observe, each with all policies', () => {
    expect(profiles.map(({ id }) => id).sort()).toEqual(['default', 'observe', 'strict']);
    for (const profile of profiles) expect(profile.settings).toHaveLength(policyCodes.length);
    const observe = profiles.find(({ id }) => id === 'observe');
    expect(observe?.settings.some(({ mode }) => mode === 'enforce')).toBe(false);
  });

  it.each([
    'a',
    'x',
    'A',
    'é',
    '你好',
    '😀',
    '\n',
    '0123456789',
    'hello ',
    'All is well. ',
    'Lorem ipsum dolor sit amet. ',
  ])('let a message of nothing but %j be, as whoever tries out large ones sends it', (filler) => {
    const scanner = createScanner(program);
    const profile = profiles.find(({ id }) => id === 'default');
    if (!profile) throw new Error('there is no default profile');
    const content = filler.repeat(20_000 / filler.length);
    for (const role of ['system', 'user', 'assistant', 'tool']) {
      expect(scanMessages(scanner, profile, [{ role, content }]).flagged, role).toBe(false);
    }
  });

  it('match the same with and without the prefilter, on every example and on mutations', () => {
    const mutation = fc.tuple(
      fc.constantFrom(...examples),
      fc.nat(10_000),
      fc.constantFrom('', ' ', '\n\t ', 'x', '0', '-', '"', 'é', '\u00a0', '\u212a', '😀', '\ud83d', '<!--', 'ſ'),
      fc.constantFrom('insert', 'replace', 'upper', 'twice', 'cut'),
    );
    const mutated = fc
      .sample(fc.array(mutation, { minLength: 1, maxLength: 3 }), 200)
      .map((mutations) => mutations.map(([text, at, piece, kind]) => mutate(text, at, piece, kind)).join(' '));
    const [turn] = fc.sample(fc.nat(3), 1);
    const questions = [
      ...rules
        .flatMap((rule, own) => textsOf(rule).map((text) => ({ text, own })))
        .map(({ text, own }, at) => ({ text, wanted: everyRule.map((_, rule) => asks(rule, own, at + turn)) })),
      ...['TſIN: 248-113-906-000', ...mutated].map((text) => ({ text, wanted: everyRule })),
    ];
    const plain = matchPlainly(questions);
    const fast = createScanner(program);
    let matches = 0;
    questions.forEach(({ text, wanted }, place) => {
      const found = fast.match(text, allRoles, wanted);
      expect(found, JSON.stringify(text)).toEqual(plain[place]);
      matches += found.list.length;
    });
    expect(matches).toBeGreaterThan(examples.length / 3);
    // The plain twin runs every pattern that is wanted on every text: the one test whose cost grows with the rules.
  }, 300_000);
});

/** 1 for the rule that an example is of and for every fourth one: which ones is another matter in each run. */
function asks(rule: number, own: number, turn: number): number {
  return rule === own || (rule + turn) % 4 === 0 ? 1 : 0;
}

interface Question {
  readonly text: string;
  /** A byte for each rule: 1 where it is asked. */
  readonly wanted: Uint8Array;
}

/** What the scanner without the prefilter finds in each text, by the same step, but with all texts at once. */
function matchPlainly(questions: readonly Question[]): readonly Matches[] {
  const machinery = createMachinery(program, undefined, true);
  const collectors = questions.map(({ text, wanted }) => {
    const collector = new Collector(program);
    collector.begin(text, allRoles, wanted);
    return collector;
  });
  runPlainly(machinery, collectors);
  return collectors.map((collector) => collector.result());
}

function mutate(text: string, place: number, piece: string, kind: string): string {
  const at = text.length === 0 ? 0 : place % text.length;
  switch (kind) {
    case 'insert':
      return text.slice(0, at) + piece + text.slice(at);
    case 'replace':
      return text.slice(0, at) + piece + text.slice(at + 1);
    case 'upper':
      return text.toUpperCase();
    case 'twice':
      return text + piece + text;
    default:
      return text.slice(at);
  }
}
