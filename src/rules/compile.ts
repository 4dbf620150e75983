import { createHash } from 'node:crypto';
import type { PolicyCode } from '../domain/policy.js';
import { allRoles, type Program, type ProgramPattern, type ProgramRule, roleClasses } from '../engine/program.js';
import { decodeProgram, encodeProgram, type ProgramParts } from '../engine/program-layout.js';
import { defaultViews, viewBits } from '../engine/view/kinds.js';
import { OutputsBuilder } from './compile-outputs.js';
import { compileRule } from './compile-rule.js';
import type { Diagnostic } from './diagnostic.js';
import { KnownFlanks } from './gate-uses.js';
import type { RuleCache } from './rule-cache.js';
import type { LocatedRule } from './ruleset.js';
import { shareOutPatterns } from './shared-patterns.js';

/** A pattern's rule, by rule index, and its place among the rule's patterns. */
export interface PatternOrigin {
  readonly rule: number;
  readonly pattern: number;
}

export interface CompileOptions extends Pick<ProgramParts, 'rowBytes' | 'models' | 'notes'> {
  /** What rules were compiled to before; those that it knows are not compiled again. */
  readonly kept?: RuleCache | undefined;
  /** Told after each rule. */
  readonly progress?: CompileProgress | undefined;
}

/** How many patterns are compiled, of how many. */
export type CompileProgress = (done: number, all: number) => void;

/**
 * Compiles rules into a program. Patterns with errors are left out and reported; what remains still runs, so
 * that all problems, also those of the examples, come to light at once.
 */
export function compileRules(
  rules: readonly LocatedRule[],
  { kept, progress, ...parts }: CompileOptions = {},
): {
  readonly program: Program;
  readonly diagnostics: readonly Diagnostic[];
  /** Where each of the program's patterns was written. */
  readonly origins: readonly PatternOrigin[];
} {
  const { patternsOf, diagnostics: ofSharing } = shareOutPatterns(rules);
  const diagnostics: Diagnostic[] = [...ofSharing];
  const origins: PatternOrigin[] = [];
  const patterns: ProgramPattern[] = [];
  const outputs = new OutputsBuilder();
  const knownFlanks = new KnownFlanks();
  const written = rules.reduce((sum, { source }) => sum + (source.patterns?.length ?? 0), 0);
  let done = 0;
  rules.forEach(({ source, pack, path }, rule) => {
    const unlessBefore = source.unless_before?.map((text) => text.toLowerCase());
    const unlessAfter = source.unless_after?.map((text) => text.toLowerCase());
    const asked = { ...(unlessBefore ? { unlessBefore } : {}), ...(unlessAfter ? { unlessAfter } : {}) };
    const own = source.patterns ?? [];
    const compile = () => compileRule(own, knownFlanks);
    const { patterns: compiled, problems } = kept?.compiled(own, compile) ?? compile();
    for (const { code, message, path: below, character } of problems) {
      const place = [...path, 'patterns', ...below];
      diagnostics.push(pack.diagnostic(code, `${source.id}: ${message}`, place, character));
    }
    for (const { pattern, uses, place } of compiled) {
      outputs.add(patterns.length, uses);
      patterns.push({ ...pattern, rule, ...asked });
      origins.push({ rule, pattern: place });
    }
    done += own.length;
    progress?.(done, written);
  });
  const programRules = rules.map((rule, index) => programRule(rule, patternsOf[index]));
  const { needles, ...outputTables } = outputs.build();
  const hash = createHash('sha256').update(JSON.stringify([programRules, patterns, needles]));
  for (const { name, bytes } of parts.models ?? []) hash.update(`\0${name}\0${bytes.length}\0`).update(bytes);
  const memory = encodeProgram({
    hash: hash.digest('hex'),
    rules: programRules,
    patterns,
    needles,
    ...outputTables,
    ...parts,
  });
  return { program: decodeProgram(memory), diagnostics, origins };
}

/** The views that a rule is looked for in, as a bit set. */
function viewsOf({ policy, source }: Pick<LocatedRule, 'policy' | 'source'>): number {
  return source.views === undefined ? defaultViews(policy) : viewBits(source.views);
}

/** Policies whose rules spare manuals unless they say what they spare: what is a risk there to be told is what manuals tell. */
const sparingManuals: ReadonlySet<PolicyCode> = new Set(['LLM03', 'LLM04', 'LLM06', 'LLM08', 'LLM10']);

function programRule({ policy, source }: LocatedRule, patternsOf: number | undefined): ProgramRule {
  return {
    id: source.id,
    policy,
    label: source.label,
    title: source.title,
    severity: source.severity,
    score: source.score,
    roles: source.roles?.reduce((bits, role) => bits | roleClasses[role], 0) ?? allRoles,
    spares: source.spares ?? (sparingManuals.has(policy) ? ['manuals'] : []),
    views: viewsOf({ policy, source }),
    references: source.references,
    ...(source.least === undefined ? {} : { least: source.least }),
    ...(patternsOf === undefined ? {} : { patternsOf }),
  };
}
