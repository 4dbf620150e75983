import { isError } from '../domain/diagnostic.js';
import { readBuildInfo } from '../guard/build-info.js';
import { compileRuleset } from '../load-rules.js';
import { type Diagnostic, distinctDiagnostics, formatDiagnostic, sortDiagnostics } from '../rules/diagnostic.js';
import { runExamples, textOf } from '../rules/examples.js';
import { checkGates, readOrdinaryMessages } from '../rules/gates.js';
import { missingIn, readRules } from '../rules/load.js';
import type { PatternSource } from '../rules/pack-schema.js';
import { checkPlaceholders } from '../rules/placeholders.js';
import type { LocatedRule } from '../rules/ruleset.js';
import { withProgress } from './progress.js';
import { existingRulesFolder, pathFromHere } from './rules-folder.js';
import { colors, note, print, table, UsageError, visible } from './terminal.js';

/** `merlon rules check [DIR]`: exit code 0, or 1 where there is any error. Throws `UsageError` where there is no such folder. */
export function checkRules(dir: string | undefined): number {
  const folder = existingRulesFolder(dir);
  const ruleset = withProgress('compiling', (step) => compileRuleset(folder, readBuildInfo(), step));
  const { program, rules, profiles } = ruleset;
  const examples = withProgress('running examples', (step) => runExamples(program, rules, step));
  const ordinary = readOrdinaryMessages(folder);
  const all = distinctDiagnostics([
    ...ruleset.diagnostics,
    ...examples.diagnostics,
    ...checkPlaceholders(rules),
    ...ordinary.diagnostics,
    ...checkGates(ruleset, ordinary.messages),
  ]);
  for (const diagnostic of all) print(visible(formatFromHere(folder, diagnostic)));
  const errors = all.filter(isError).length;
  note(
    `${rules.length} rules, ${program.patterns.length} patterns, ${program.needles.length} needles, ` +
      `${profiles.length} profiles, ${examples.count} examples, ${ordinary.messages.length} ordinary messages: ${errors} errors, ${all.length - errors} warnings`,
  );
  // What is missing may only be broken.
  const missing = errors > 0 ? undefined : missingIn(ruleset, folder);
  if (missing !== undefined) note(missing);
  return errors > 0 || missing !== undefined ? 1 : 0;
}

/**
 * `merlon rules list`: exit code 0, or 1 where a file has an error of form, which is told; its rules are not in the list. What only
 * compiling finds, such as a phrase that cannot be parsed (E201), `merlon rules check` tells.
 */
export function listRules(json: boolean): number {
  const diagnostics: Diagnostic[] = [];
  const folder = existingRulesFolder();
  const rules = readRules(folder, '', diagnostics);
  if (json) {
    print(JSON.stringify(rules.map(summary), null, 2));
    return report(folder, diagnostics);
  }
  const rows = rules.map(({ source }) => [
    source.id,
    source.label,
    source.severity,
    String(source.score),
    source.title,
  ]);
  print(table([['ID', 'LABEL', 'SEVERITY', 'SCORE', 'TITLE'], ...rows]));
  return report(folder, diagnostics);
}

/** Says what is wrong with files beside those that a command answers from. Gives its exit code. */
function report(folder: string, diagnostics: readonly Diagnostic[]): number {
  for (const diagnostic of sortDiagnostics(diagnostics)) note(formatFromHere(folder, diagnostic));
  return diagnostics.some(isError) ? 1 : 0;
}

/** Rules know their files by the names in their folder; an editor follows paths from the working directory. */
function formatFromHere(folder: string, diagnostic: Diagnostic): string {
  return formatDiagnostic({ ...diagnostic, file: pathFromHere(folder, diagnostic.file) });
}

/** `merlon rules show ID`: everything the rule's author wrote. Exit code as of `listRules`. */
export function showRule(id: string, json: boolean): number {
  const folder = existingRulesFolder();
  const diagnostics: Diagnostic[] = [];
  const rules = readRules(folder, id.toUpperCase(), diagnostics);
  const rule = rules.find(({ source }) => source.id === id.toUpperCase());
  if (!rule) {
    if (report(folder, diagnostics) === 0) {
      throw new UsageError(`ID: there is no rule "${id}"; \`merlon rules list\` names them all`);
    }
    note(`ID: there is no rule "${id}" in the files without an error`);
    return 1;
  }
  if (json) {
    print(JSON.stringify({ ...summary(rule), ...rule.source }, null, 2));
    return report(folder, diagnostics);
  }
  const { source } = rule;
  const { examples, patterns_of: owner = source.id } = source;
  const owners = owner === source.id ? rules : readRules(folder, owner, diagnostics);
  const shared = owners.find((each) => each.source.id === owner)?.source;
  print(colors.bold(`${source.id}  ${source.title}`));
  print(
    table([
      ['detector', `${rule.policy}:${source.label}`],
      ['severity', source.severity],
      ['score', String(source.score)],
      ['roles', source.roles?.join(', ') ?? 'all'],
      ...optional(
        'least score',
        source.least && Object.entries(source.least).map(([role, score]) => `${role} ${score}`),
      ),
      ...optional('views', source.views),
      ...optional('spares', source.spares),
      ...optional('unless before', shared?.unless_before?.map(quoted)),
      ...optional('unless after', shared?.unless_after?.map(quoted)),
      ['file', rule.pack.file],
    ]),
  );
  print(`\n${colors.bold('Why')}\n  ${source.why}\n\n${colors.bold('Misses')}\n  ${source.misses}`);
  const sharers = rules
    .filter((each) => each.source.patterns_of === source.id)
    .map((each) => `, also of ${each.source.id}`);
  const whose = owner === source.id ? sharers.join('') : `, those of ${owner}`;
  section(`Patterns${whose}`, (shared?.patterns ?? []).map(describePattern));
  section('Hits', examples.match.map(textOf));
  section('Does not hit', [...examples.clean, ...examples.near].map(textOf));
  section('References', source.references);
  return report(folder, diagnostics);
}

function describePattern(pattern: PatternSource): string {
  if ('phrase' in pattern) return `phrase  ${pattern.phrase}`;
  if ('detect' in pattern) return `detect  ${pattern.detect}`;
  const conditions = [
    ...('regex' in pattern && pattern.ignore_case === true ? ['ignore_case'] : []),
    ...('named' in pattern && pattern.within !== undefined ? [`within ${pattern.within}`] : []),
    ...('named' in pattern && pattern.either_side === false ? ['either_side false'] : []),
    ...(pattern.validate ?? []).map((validator) => `validate ${validator}`),
    ...(pattern.unless ?? []).map((text) => `unless ${quoted(text)}`),
  ];
  const what =
    'regex' in pattern
      ? `regex   ${pattern.regex}`
      : `named   ${pattern.named.join(', ')}${pattern.value === undefined ? '' : `: ${pattern.value}`}`;
  return [what, ...conditions.map((condition) => `        ${condition}`)].join('\n');
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A row of what a rule says only where it differs from others. */
function optional(name: string, values: readonly string[] | undefined): string[][] {
  return values === undefined ? [] : [[name, values.length === 0 ? 'none' : values.join(', ')]];
}

function section(title: string, lines: readonly string[]): void {
  print(`\n${colors.bold(title)}\n${lines.map((line) => `  ${line.replaceAll('\n', '\n    ')}`).join('\n')}`);
}

function summary({ policy, source, pack }: LocatedRule) {
  return {
    id: source.id,
    policy,
    detector: `${policy}:${source.label}`,
    title: source.title,
    severity: source.severity,
    score: source.score,
    roles: source.roles ?? ['system', 'user', 'assistant', 'tool'],
    references: source.references,
    file: pack.file,
  };
}
