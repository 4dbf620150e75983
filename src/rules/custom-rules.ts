import {
  type AllowedPhrase,
  type CustomDiagnostic,
  type CustomPattern,
  type CustomRule,
  type CustomRules,
  type CustomRulesReport,
  customRuleDefaults,
  customRuleId,
} from '../domain/custom-rules.js';
import { isError } from '../domain/diagnostic.js';
import { limits } from '../domain/limits.js';
import type { Program } from '../engine/program.js';
import { compileRules } from './compile.js';
import type { Diagnostic, DiagnosticCode } from './diagnostic.js';
import { runExamples } from './examples.js';
import type { PatternSource } from './pack-schema.js';
import type { ProgramCache } from './program-cache.js';
import type { FileBytes } from './read.js';
import { regexCostUs } from './regex-cost.js';
import type { LocatedRule } from './ruleset.js';
import { expandWords } from './words.js';
import type { YamlFile } from './yaml-file.js';
import type { YamlPath } from './yaml-path.js';

/** An organization's rules, compiled. */
export interface CompiledCustomRules {
  readonly report: CustomRulesReport;
  /** Its rules are the custom ones in order, then one for each allowed phrase. Absent where there is an error. */
  readonly program?: Program;
}

/**
 * Checks an organization's rules, runs their examples and compiles them; every problem is found at once. All rules must
 * have ids. `shippedIds` are what the allow-list may name beside them. Up to some seconds for the largest.
 */
export function compileCustomRules(source: CustomRules, shippedIds: ReadonlySet<string>): CompiledCustomRules {
  const diagnostics: Diagnostic[] = [];
  checkAllowed(source, diagnostics);
  return compileChecked(source, shippedIds, diagnostics);
}

function compileChecked(
  source: CustomRules,
  shippedIds: ReadonlySet<string>,
  diagnostics: Diagnostic[],
): CompiledCustomRules {
  checkNames(source, shippedIds, diagnostics);
  if (!checkCosts(source, diagnostics)) return { report: reportOf(diagnostics) };
  const rules = source.rules.map((rule, index) => locatedRule(rule, index, diagnostics));
  const allowed = source.allow.map((entry, index) => locatedPhrase(entry, index, diagnostics));
  const compiled = compileRules([...rules, ...allowed], { rowBytes: limits.customRowBytesMax });
  diagnostics.push(...compiled.diagnostics);
  const { program } = compiled;
  checkSize(program, diagnostics);
  if (diagnostics.some(isError)) return { report: reportOf(diagnostics, program) };
  const examples = runExamples(program, rules);
  diagnostics.push(...examples.diagnostics);
  const report = reportOf(diagnostics, program, examples.count);
  return diagnostics.some(isError) ? { report } : { report, program };
}

/** The program of rules that were compiled before: from the cache, or anew. Undefined where they do not compile any more. */
export function openCustomRules(
  source: CustomRules,
  shippedIds: ReadonlySet<string>,
  cache: ProgramCache | undefined,
): Program | undefined {
  const files = customRuleFiles(source);
  const cached = cache?.find(files);
  if (cached) return cached;
  const { program } = compileChecked(withKnownNames(source, shippedIds), shippedIds, []);
  if (program) cache?.save(files, program);
  return program;
}

/** What the cache knows an organization's rules by. */
export function customRuleFiles({ rules, allow }: CustomRules): readonly FileBytes[] {
  return [{ file: 'custom rules', bytes: Buffer.from(JSON.stringify({ rules, allow })) }];
}

/** What was right when it was saved must open later: a shipped rule that has gone since is no error then, nor that no other is named. */
function withKnownNames(source: CustomRules, shippedIds: ReadonlySet<string>): CustomRules {
  const isKnown = (id: string) => shippedIds.has(id) || source.rules.some((rule) => rule.id === id);
  const allow = source.allow.map((entry) =>
    entry.rules === undefined
      ? entry
      : { ...entry, policies: entry.policies ?? [], rules: entry.rules.filter(isKnown) },
  );
  return { rules: source.rules, allow };
}

/** A custom rule has no file: its place is a path, which stands as a JSON pointer where a file's name would. */
const placed: YamlFile<unknown> = {
  file: '',
  value: undefined,
  diagnostic: (code, message, path, index = 0) => ({
    file: path.map((key) => `/${key}`).join(''),
    line: 1,
    column: index + 1,
    code,
    message,
  }),
};

function reportOf(diagnostics: readonly Diagnostic[], program?: Program, examples = 0): CustomRulesReport {
  const errors = diagnostics.filter(isError);
  const warnings = diagnostics.filter((diagnostic) => !isError(diagnostic));
  return {
    diagnostics: [...errors, ...warnings].slice(0, limits.problemErrorsMax).map(
      ({ code, file, column, message }): CustomDiagnostic => ({
        code,
        pointer: file,
        character: column - 1,
        message,
      }),
    ),
    patterns: program?.patterns.length ?? 0,
    needles: program?.needles.length ?? 0,
    examples,
    programBytes: program?.bytesLength ?? 0,
  };
}

function reporter(diagnostics: Diagnostic[]): (code: DiagnosticCode, path: YamlPath, message: string) => void {
  return (code, path, message) => diagnostics.push(placed.diagnostic(code, message, path));
}

function checkAllowed({ allow }: CustomRules, diagnostics: Diagnostic[]): void {
  const report = reporter(diagnostics);
  allow.forEach(({ policies = [], rules = [] }, index) => {
    if (policies.length + rules.length === 0) {
      report('E102', ['allow', index], 'must name the policies or the rules that it is for');
    }
  });
}

function checkNames({ rules, allow }: CustomRules, shippedIds: ReadonlySet<string>, diagnostics: Diagnostic[]): void {
  const report = reporter(diagnostics);
  const ids = new Set<string>();
  rules.forEach(({ id = '', patterns }, index) => {
    if (ids.has(id)) report('E104', ['rules', index, 'id'], `${id} is used twice`);
    ids.add(id);
    patterns.forEach((pattern, place) => {
      const problem = formProblem(pattern);
      if (problem) report('E102', ['rules', index, 'patterns', place], problem);
    });
  });
  allow.forEach((entry, index) => {
    entry.rules?.forEach((id, place) => {
      if (!ids.has(id) && !shippedIds.has(id))
        report('E207', ['allow', index, 'rules', place], `there is no rule ${id}`);
    });
  });
}

function formProblem({ phrase, regex, ...rest }: CustomPattern): string | undefined {
  if ((phrase === undefined) === (regex === undefined)) return 'must have either phrase or regex';
  if (phrase !== undefined && Object.keys(rest).length > 0) return `${Object.keys(rest)[0]} goes with a regex only`;
  return undefined;
}

/** What can be told before anything is compiled; false where that would be too much to go on. */
function checkCosts({ rules }: CustomRules, diagnostics: Diagnostic[]): boolean {
  const report = reporter(diagnostics);
  let patterns = 0;
  let total = 0;
  rules.forEach((rule, index) => {
    patterns += rule.patterns.length;
    rule.patterns.forEach(({ regex = '' }, place) => {
      const cost = regexCostUs(regex);
      if (cost <= limits.customRegexCostUsMax) {
        total += cost;
        return;
      }
      report('E206', ['rules', index, 'patterns', place, 'regex'], 'has too many repetitions of large classes');
    });
  });
  if (patterns > limits.customPatternsMax) {
    report('E208', ['rules'], `${patterns} patterns are more than ${limits.customPatternsMax}`);
  }
  if (total > limits.customRegexCostTotalUsMax) {
    report('E208', ['rules'], 'all regexes together have too many repetitions of large classes');
  }
  return patterns <= limits.customPatternsMax && total <= limits.customRegexCostTotalUsMax;
}

function checkSize(program: Program, diagnostics: Diagnostic[]): void {
  const report = reporter(diagnostics);
  const ungated = program.patterns.filter(({ kind }) => kind === 'ungated').length;
  const bounds = [
    [program.needles.length, limits.customNeedlesMax, 'needles'],
    [program.bytesLength, limits.customProgramBytesMax, 'bytes of compiled rules'],
    [ungated, limits.customUngatedMax, 'patterns that require no literal (W501)'],
  ] as const;
  for (const [count, most, what] of bounds) {
    if (count > most) report('E208', ['rules'], `${count} ${what} are more than ${most}`);
  }
}

function locatedRule(rule: CustomRule, index: number, diagnostics: Diagnostic[]): LocatedRule {
  const path = ['rules', index];
  const { id = customRuleId(index + 1) } = rule;
  const { label, title, severity, score } = { ...customRuleDefaults, ...rule };
  const { match = [], clean = [], near = [] } = rule.examples ?? {};
  return {
    policy: rule.policy,
    pack: placed,
    path,
    source: {
      id,
      label,
      title,
      severity,
      score,
      ...(rule.roles === undefined ? {} : { roles: [...rule.roles] }),
      patterns: rule.patterns.map((pattern, place) =>
        patternSource(pattern, [...path, 'patterns', place], id, diagnostics),
      ),
      why: rule.why ?? '',
      misses: rule.misses ?? '',
      references: [...(rule.references ?? [])],
      examples: { match: [...match], clean: [...clean], near: [...near] },
    },
  };
}

function patternSource(pattern: CustomPattern, path: YamlPath, id: string, diagnostics: Diagnostic[]): PatternSource {
  const { phrase, regex = '', ignore_case, validate, unless } = pattern;
  // What was reported before is replaced by something harmless, so that the rest is looked at as well.
  if (formProblem(pattern) || regexCostUs(regex) > limits.customRegexCostUsMax) return { phrase: 'refused' };
  if (phrase !== undefined) {
    checkWords(phrase, path, id, diagnostics);
    return { phrase };
  }
  return {
    regex,
    ...(ignore_case === undefined ? {} : { ignore_case }),
    ...(validate === undefined ? {} : { validate: [...validate] }),
    ...(unless === undefined ? {} : { unless: [...unless] }),
  };
}

/** Word classes belong to the shipped rules and change with them. */
function checkWords(phrase: string, path: YamlPath, id: string, diagnostics: Diagnostic[]): void {
  expandWords(phrase, new Map(), (name) => {
    const message = `${id}: there are no word classes here; write \\{${name}} for the braces themselves`;
    diagnostics.push(placed.diagnostic('E205', message, [...path, 'phrase']));
  });
}

/** An allowed phrase as a rule of its own, which is never judged: where it matches, others may not. */
function locatedPhrase({ phrase }: AllowedPhrase, index: number, diagnostics: Diagnostic[]): LocatedRule {
  const path = ['allow', index];
  const id = `ALLOW-${index + 1}`;
  checkWords(phrase, path, id, diagnostics);
  if (/(?<!\\)[<*]/.test(phrase)) {
    const message = `${id}: an allowed phrase says every word: <n> and * would let pass what nobody has seen`;
    diagnostics.push(placed.diagnostic('E201', message, [...path, 'phrase']));
  }
  const pack: YamlFile<unknown> = {
    ...placed,
    // Without the list of patterns that a rule has.
    diagnostic: (code, message, at, character) =>
      placed.diagnostic(code, message, [...path, ...at.slice(4)], character),
  };
  return {
    policy: 'LLM01',
    pack,
    path,
    source: {
      id,
      label: 'allowed',
      title: 'Allowed phrase',
      severity: 'low',
      score: customRuleDefaults.score,
      patterns: [{ phrase }],
      why: '',
      misses: '',
      references: [],
      examples: { match: [], clean: [], near: [] },
    },
  };
}
