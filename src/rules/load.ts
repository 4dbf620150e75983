import { isPolicyCode } from '../domain/policy.js';
import { compileProfile, type Profile, type ProfileSource } from '../engine/judge/profile.js';
import type { Program } from '../engine/program.js';
import { compileRules } from './compile.js';
import { type Diagnostic, sortDiagnostics } from './diagnostic.js';
import { packSchema, profileSchema, retiredSchema } from './pack-schema.js';
import { type RuleFile, readRuleFiles } from './read.js';
import type { LocatedRule } from './ruleset.js';
import { parseYamlFile } from './yaml-file.js';

/** Everything a rules folder holds, compiled, with all its problems. Use it to scan only where no problem is an error. */
export interface Ruleset {
  readonly program: Program;
  readonly profiles: readonly Profile[];
  /** In the order of the program's rule indices. */
  readonly rules: readonly LocatedRule[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads and compiles a rules folder. Examples are not run: see `runExamples`. */
export function loadRuleset(folder: string): Ruleset {
  const files = readRuleFiles(folder);
  const diagnostics: Diagnostic[] = [...files.diagnostics];
  const rules = files.packs.flatMap((file) => readPack(file, diagnostics));
  checkIds(rules, readRetired(files.retired, diagnostics), diagnostics);
  const compiled = compileRules(rules);
  diagnostics.push(...compiled.diagnostics);
  const profiles = readProfiles(files.profiles, diagnostics).map((source) => compileProfile(source, compiled.program));
  return { program: compiled.program, profiles, rules, diagnostics: sortDiagnostics(diagnostics) };
}

function readPack({ file, text }: RuleFile, diagnostics: Diagnostic[]): readonly LocatedRule[] {
  const { parsed, diagnostics: problems } = parseYamlFile(file, text, packSchema);
  diagnostics.push(...problems);
  if (!parsed) return [];
  const { policy, rules } = parsed.value;
  const [folder] = file.split('/');
  if (isPolicyCode(folder.slice(0, 5)) && !folder.startsWith(policy)) {
    diagnostics.push(parsed.diagnostic('E106', `the folder ${folder} does not belong to ${policy}`, ['policy']));
  }
  return rules.map((source, index) => ({ policy, source, pack: parsed, path: ['rules', index] }));
}

function readRetired(file: RuleFile | undefined, diagnostics: Diagnostic[]): ReadonlySet<string> {
  if (!file) return new Set();
  const { parsed, diagnostics: problems } = parseYamlFile(file.file, file.text, retiredSchema);
  diagnostics.push(...problems);
  return new Set(parsed?.value.retired);
}

function checkIds(rules: readonly LocatedRule[], retired: ReadonlySet<string>, diagnostics: Diagnostic[]): void {
  const seen = new Map<string, LocatedRule>();
  for (const rule of rules) {
    const { id } = rule.source;
    const report = (code: 'E103' | 'E104' | 'E105', message: string) =>
      diagnostics.push(rule.pack.diagnostic(code, message, [...rule.path, 'id']));
    const first = seen.get(id);
    if (!id.startsWith(`${rule.policy}-`)) report('E103', `${id} does not begin with ${rule.policy}-`);
    if (first) report('E104', `${id} is used before, in ${first.pack.file}`);
    else seen.set(id, rule);
    if (retired.has(id)) report('E105', `${id} was retired`);
  }
}

function readProfiles(files: readonly RuleFile[], diagnostics: Diagnostic[]): readonly ProfileSource[] {
  const profiles = new Map<string, ProfileSource>();
  for (const { file, text } of files) {
    const { parsed, diagnostics: problems } = parseYamlFile(file, text, profileSchema);
    diagnostics.push(...problems);
    if (!parsed) continue;
    const { id } = parsed.value;
    if (profiles.has(id)) diagnostics.push(parsed.diagnostic('E401', `there is another profile ${id}`, ['id']));
    else profiles.set(id, parsed.value);
  }
  return [...profiles.values()];
}
