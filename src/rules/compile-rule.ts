import type { ProgramPattern } from '../engine/program.js';
import { type CompiledPattern, compilePattern } from './compile-pattern.js';
import type { DiagnosticCode } from './diagnostic.js';
import { type GateUses, gateUses, type KnownFlanks } from './gate-uses.js';
import type { PatternSource } from './pack-schema.js';
import type { YamlPath } from './yaml-path.js';

/** What a rule's patterns compile to, whatever other rules there are. Plain data, which may be kept between runs. */
export interface CompiledRule {
  readonly patterns: readonly RulePattern[];
  readonly problems: readonly Problem[];
}

interface RulePattern {
  /** Its place among the rule's patterns as they are written. */
  readonly place: number;
  readonly pattern: Omit<ProgramPattern, 'rule'>;
  readonly uses: GateUses;
}

/** Something to be said of a pattern, at a path below the rule's patterns. */
interface Problem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly path: YamlPath;
  readonly character?: number | undefined;
}

/** Compiles a rule's patterns; those with errors are left out. Cost: milliseconds for each, most of it for its flanks and for RE2. */
export function compileRule(patterns: readonly PatternSource[], known: KnownFlanks): CompiledRule {
  const problems: Problem[] = [];
  const compiled = patterns.flatMap((source, place) => {
    const written = compilePattern(source, (code, message, below, character) => {
      problems.push({ code, message, path: [place, ...below], character });
    });
    return written.map((each) => rulePattern(each, place, known));
  });
  return { patterns: compiled, problems };
}

function rulePattern({ literals, ...pattern }: CompiledPattern, place: number, known: KnownFlanks): RulePattern {
  const uses = gateUses(literals, pattern.ignoreCase, known);
  return { place, pattern: { ...pattern, gateCount: literals.length }, uses };
}
