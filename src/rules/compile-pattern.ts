import { limits } from '../domain/limits.js';
import { validators } from '../engine/detect/validators.js';
import type { Detection, ProgramPattern, Reach } from '../engine/program.js';
import { leftBorder, rightBorder } from '../engine/regex/borders.js';
import type { RequiredLiterals, Surroundings } from '../engine/regex/context.js';
import { withLineEnds } from '../engine/regex/line-ends.js';
import { exactTexts, gatesOf } from '../engine/regex/literals.js';
import { parsePhrase, phraseRegex, phraseShape } from '../engine/regex/phrase.js';
import { compileRegex } from '../engine/regex/re2.js';
import { PatternError, readRegex } from '../engine/regex/read-regex.js';
import { type Shape, unitsMax } from '../engine/regex/shape.js';
import type { DiagnosticCode } from './diagnostic.js';
import { checkDialect, checkPieceDialect } from './dialect.js';
import { type Misreading, misreadBorders, misreadPhrase } from './misreadings.js';
import { type NamedPattern, namedRegexes } from './named-pattern.js';
import type { PatternSource } from './pack-schema.js';
import { regexCostUs } from './regex-cost.js';
import type { YamlPath } from './yaml-path.js';

/** A pattern ready for the program, its needles still as texts. */
export interface CompiledPattern extends Omit<ProgramPattern, 'rule' | 'gateCount'> {
  readonly literals: readonly RequiredLiterals[];
}

/** Reports a problem at a path below the pattern. */
export type Report = (code: DiagnosticCode, message: string, path: YamlPath, index?: number) => void;

/** Compiles what an author wrote as one pattern; empty after an error was reported. */
export function compilePattern(source: PatternSource, report: Report): readonly CompiledPattern[] {
  if ('named' in source) return compileNamed(source, report);
  if ('regex' in source) warnOf(misreadBorders(source.regex), report, ['regex']);
  const compiled =
    'detect' in source
      ? detectPattern(source.detect)
      : 'phrase' in source
        ? compilePhrase(source.phrase, report)
        : compileRegexPattern(source, report);
  return compiled ? [compiled] : [];
}

function compileNamed(source: NamedPattern, report: Report): readonly CompiledPattern[] {
  const names = source.named.map((name, index) => isPiece(name, ['named', index], report));
  const isValue = source.value === undefined || isPiece(source.value, ['value'], report);
  if (!isValue || names.includes(false)) return [];
  return namedRegexes(source).flatMap((each) => compileRegexPattern(each, report) ?? []);
}

/** True where a name or a value can be read by itself; what is wrong with it is reported at its own place. */
function isPiece(text: string, path: YamlPath, report: Report): boolean {
  try {
    checkPieceDialect(text);
    readRegex(text, true);
    warnOf(misreadBorders(text), report, path);
    return true;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    report('E202', error.message, path, error.index);
    return false;
  }
}

function compilePhrase(source: string, report: Report): CompiledPattern | undefined {
  try {
    const phrase = parsePhrase(source);
    warnOf(misreadPhrase(source, phrase.spaced), report, ['phrase']);
    const shape = phraseShape(phrase);
    const base = {
      source: phrase.spaced ? '' : phraseRegex(phrase),
      ignoreCase: true,
      bordered: phrase.spaced,
      validate: [],
      unless: [],
      ...(phrase.spaced ? { phrase: source } : {}),
    };
    const spellings = exactTexts(shape);
    if (spellings && areNeedles(spellings)) {
      const bordered = phrase.spaced ? onWordBorders : anywhere;
      return {
        ...base,
        kind: 'exact',
        ...unbounded,
        literals: [new Map([...spellings].map((text) => [text, bordered]))],
      };
    }
    return { ...base, ...gate(shape, report, ['phrase']) };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    report('E201', error.message, ['phrase'], error.index);
    return undefined;
  }
}

/**
 * True where the spellings of a phrase are needles themselves: where they are no longer than needles that are cut, or few. Many long
 * ones would be most of the automaton.
 */
function areNeedles(spellings: ReadonlySet<string>): boolean {
  const most = spellings.size <= longSpellingsMax ? limits.needleUnitsMax : limits.gateUnitsMax;
  return [...spellings].every((text) => text.length <= most);
}

const longSpellingsMax = 4;

/** An estimate. */
const warnedCompileUs = 30_000;

const anywhere: Surroundings = { borders: 0, contexts: [{ before: [], after: [] }] };
const onWordBorders: Surroundings = {
  borders: leftBorder | rightBorder,
  contexts: [{ before: [{ kind: 'border' }], after: [{ kind: 'border' }] }],
};

/** No needle leads to it and its regex matches nothing: code finds it. */
function detectPattern(detect: Detection): CompiledPattern {
  return {
    detect,
    kind: 'exact',
    source: '\\b\\B',
    ignoreCase: false,
    bordered: false,
    ...unbounded,
    validate: [],
    unless: [],
    literals: [],
  };
}

function compileRegexPattern(
  source: Extract<PatternSource, { regex: string }>,
  report: Report,
): CompiledPattern | undefined {
  const ignoreCase = source.ignore_case ?? false;
  const validate = source.validate ?? [];
  const unknown = validate.flatMap((name, index) => (validators.has(name) ? [] : [{ name, index }]));
  for (const { name, index } of unknown) report('E203', `there is no validator ${name}`, ['validate', index]);
  try {
    checkDialect(source.regex);
    // Read as it was written first, so that what is wrong is told of its place there.
    const written = readRegex(source.regex, ignoreCase);
    const regex = withLineEnds(source.regex);
    const shape = regex === source.regex ? written : readRegex(regex, ignoreCase);
    const problem = refusal(regex, ignoreCase);
    if (problem) report(problem.code, problem.message, ['regex']);
    if (problem || unknown.length > 0) return undefined;
    const costUs = regexCostUs(regex);
    if (costUs > warnedCompileUs) {
      const message = `RE2 takes some ${Math.round(costUs / 1_000)} ms to compile it, in every thread, and megabytes: shorten repetitions, or name ranges instead of \\p{…}`;
      report('W504', message, ['regex']);
    }
    return {
      source: regex,
      ignoreCase,
      bordered: false,
      validate,
      unless: (source.unless ?? []).map((text) => text.toLowerCase()),
      ...gate(shape, report, ['regex']),
    };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    report('E202', error.message, ['regex'], error.index);
    return undefined;
  }
}

function warnOf(misreadings: readonly Misreading[], report: Report, path: YamlPath): void {
  for (const { message, index } of misreadings) report('W505', message, path, index);
}

/** Why RE2 does not take the regex, or why it is useless. */
function refusal(source: string, ignoreCase: boolean): { code: DiagnosticCode; message: string } | undefined {
  try {
    return compileRegex(source, ignoreCase).matchesEmpty()
      ? { code: 'E204', message: 'matches the empty text' }
      : undefined;
  } catch (error) {
    return { code: 'E202', message: error instanceof Error ? `RE2: ${error.message}` : 'RE2 refuses it' };
  }
}

function gate(
  shape: Shape,
  report: Report,
  path: YamlPath,
): Pick<CompiledPattern, 'kind' | 'windowUnits' | 'reach' | 'literals'> {
  const literals = gatesOf(shape);
  if (literals.length === 0) {
    report('W501', 'no literal is required: it runs on every message', path);
    return { kind: 'ungated', ...unbounded, literals: [] };
  }
  const longest = unitsMax(shape);
  if (!Number.isFinite(longest)) report('W502', 'unbounded: it runs on whole messages once its gate opens', path);
  if (longest > limits.windowUnitsMax) return { kind: 'gated', ...unbounded, literals };
  return { kind: 'gated', windowUnits: longest, reach: reachOf(literals[literals.length - 1]), literals };
}

const unbounded = { windowUnits: 0, reach: { before: 0, after: 0 } };

/** How far matches reach beside the ends of a gate's literals. */
function reachOf(literals: RequiredLiterals): Reach {
  let before = 0;
  let after = 0;
  for (const [literal, { contexts }] of literals) {
    for (const context of contexts) {
      before = Math.max(before, unitsMax({ kind: 'sequence', parts: context.before }) + literal.length);
      after = Math.max(after, unitsMax({ kind: 'sequence', parts: context.after }));
    }
  }
  return { before, after };
}
