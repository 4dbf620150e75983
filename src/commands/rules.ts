import { readBuildInfo } from '../guard/build-info.js';
import { compileRuleset } from '../load-rules.js';
import { distinctDiagnostics, formatDiagnostic, isError } from '../rules/diagnostic.js';
import { runExamples, textOf } from '../rules/examples.js';
import { checkGates, readOrdinaryMessages } from '../rules/gates.js';
import { missingIn, readRules } from '../rules/load.js';
import type { PatternSource, RuleSource } from '../rules/pack-schema.js';
import { checkPlaceholders } from '../rules/placeholders.js';
import type { LocatedRule } from '../rules/ruleset.js';
import { withProgress } from './progress.js';
import { colors, note, print, table, UsageError, visible } from './terminal.js';

/** `merlon rules check [DIR]`: exit code 0, or 1 where there is any error. */
export function checkRules(folder: string): number {
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
  for (const diagnostic of all) print(visible(formatDiagnostic(diagnostic)));
  const errors = all.filter(isError).length;
  note(
    `${rules.length} rules, ${program.patterns.length} patterns, ${program.needles.length} needles, ` +
      `${profiles.length} profiles, ${examples.count} examples, ${ordinary.messages.length} ordinary messages: ${errors} errors, ${all.length - errors} warnings`,
  );
  const missing = missingIn(ruleset, folder);
  if (missing !== undefined) note(missing);
  return errors > 0 || missing !== undefined ? 1 : 0;
}

/** `merlon rules list` */
export function listRules(folder: string, json: boolean): number {
  const rules = readRules(folder);
  if (json) {
    print(JSON.stringify(rules.map(summary), null, 2));
    return 0;
  }
  const rows = rules.map(({ source }) => [
    source.id,
    source.label,
    source.severity,
    String(source.score),
    source.title,
  ]);
  print(table([['ID', 'LABEL', 'SEVERITY', 'SCORE', 'TITLE'], ...rows]));
  return 0;
}

/** `merlon rules show ID`: everything the rule's author wrote. */
export function showRule(folder: string, id: string, json: boolean): number {
  const rules = readRules(folder, id.toUpperCase());
  const rule = rules.find(({ source }) => source.id === id.toUpperCase());
  if (!rule) throw new UsageError(`ID: there is no rule "${id}"; \`merlon rules list\` names them all`);
  if (json) {
    print(JSON.stringify({ ...summary(rule), ...rule.source }, null, 2));
    return 0;
  }
  const { source } = rule;
  const examples = source.examples;
  print(colors.bold(`${source.id}  ${source.title}`));
  print(
    table([
      ['detector', `${rule.policy}:${source.label}`],
      ['severity', source.severity],
      ['score', String(source.score)],
      ['roles', source.roles?.join(', ') ?? 'all'],
      ['file', rule.pack.file],
    ]),
  );
  print(`\n${colors.bold('Why')}\n  ${source.why}\n\n${colors.bold('Misses')}\n  ${source.misses}`);
  showPatterns(source, source.patterns_of === undefined ? rules : readRules(folder, source.patterns_of));
  section('Hits', examples.match.map(textOf));
  section('Does not hit', [...examples.clean, ...examples.near].map(textOf));
  section('References', source.references);
  return 0;
}

/** The patterns of a rule, its own or another's, and who else has them. */
function showPatterns({ id, patterns_of = id }: RuleSource, rules: readonly LocatedRule[]): void {
  const owner = rules.find(({ source }) => source.id === patterns_of);
  const sharers = rules.flatMap(({ source }) => (source.patterns_of === id ? [source.id] : []));
  const whose =
    patterns_of === id ? sharers.map((sharer) => `, also of ${sharer}`).join('') : `, those of ${patterns_of}`;
  section(`Patterns${whose}`, (owner?.source.patterns ?? []).map(describePattern));
}

function describePattern(pattern: PatternSource): string {
  if ('phrase' in pattern) return `phrase  ${pattern.phrase}`;
  if ('named' in pattern) return `named   ${pattern.named.join(', ')}`;
  return 'regex' in pattern ? `regex   ${pattern.regex}` : `detect  ${pattern.detect}`;
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
