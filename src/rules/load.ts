import { isError } from '../domain/diagnostic.js';
import { isPolicyCode } from '../domain/policy.js';
import {
  compileProfile,
  type Profile,
  type ProfileHead,
  type ProfileSource,
  profileHead,
  shippedModel,
} from '../engine/judge/profile.js';
import { isLearned } from '../engine/learned/learned-rules.js';
import { decodeModel, ModelFormatError } from '../engine/learned/model.js';
import type { Program } from '../engine/program.js';
import { type CompileProgress, compileRules, type PatternOrigin } from './compile.js';
import { type Diagnostic, sortDiagnostics } from './diagnostic.js';
import { notesOf } from './notes.js';
import { type PatternSource, packSchema, profileSchema, retiredSchema } from './pack-schema.js';
import type { ProgramCache } from './program-cache.js';
import { type FileBytes, type ModelFile, type RuleFile, type RuleFiles, readRuleFiles } from './read.js';
import type { RuleCache } from './rule-cache.js';
import { RulesError, rulesErrorOf } from './rules-error.js';
import type { LocatedRule } from './ruleset.js';
import { expandWords, readWordClasses, type WordClasses } from './words.js';
import { parseYamlFile } from './yaml-file.js';
import type { YamlPath } from './yaml-path.js';

/** Everything a rules folder holds, compiled, with all its problems. Use it to scan only where no problem is an error. */
export interface Ruleset {
  readonly program: Program;
  readonly profiles: readonly Profile[];
  /** In the order of the program's rule indices. */
  readonly rules: readonly LocatedRule[];
  /** By the program's patterns. */
  readonly origins: readonly PatternOrigin[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What a scan needs of a rules folder. */
export interface CompiledRules {
  readonly program: Program;
  readonly profiles: readonly Profile[];
}

/**
 * Rules that are fit to scan with, from the cache where these very files were compiled before; `compiling` is told where they
 * were not, and what it gives is told how far that is. Throws `RulesError` with all errors.
 */
export function loadCompiledRules(
  folder: string,
  cache?: ProgramCache,
  compiling?: () => CompileProgress | undefined,
): CompiledRules {
  const files = readRuleFiles(folder);
  const cached = files.diagnostics.length === 0 ? cache?.find(packsOf(files)) : undefined;
  if (cached) return soundRules(profilesOf(files, cached), folder);
  const progress = compiling?.();
  return soundRules(compileAndKeep(files, folder, cache, progress), folder);
}

/**
 * The same where they were compiled before, read while this thread does something else; undefined where they would have to be
 * compiled now.
 */
export async function findCompiledRules(folder: string, cache: ProgramCache): Promise<CompiledRules | undefined> {
  const files = readRuleFiles(folder);
  const cached = files.diagnostics.length === 0 ? await cache.findApart(packsOf(files)) : undefined;
  return cached && soundRules(profilesOf(files, cached), folder);
}

function soundRules(rules: ProfiledRules, folder: string): CompiledRules {
  const fault = faultOf(rules, folder);
  if (fault) throw fault;
  return { program: rules.program, profiles: rules.profiles };
}

/** Why rules are not fit to scan with; undefined where they are. */
function faultOf(rules: ProfiledRules, folder: string): RulesError | undefined {
  const missing = missingIn(rules, folder);
  return errorOf(rules.diagnostics) ?? (missing === undefined ? undefined : new RulesError(missing));
}

function errorOf(diagnostics: readonly Diagnostic[]): RulesError | undefined {
  const errors = diagnostics.filter(isError);
  return errors.length === 0 ? undefined : rulesErrorOf(errors);
}

/** The profiles of a folder, without parsing its rules: who asks for their names waits for no rule. Throws `RulesError`. */
export function readProfileHeads(folder: string): readonly ProfileHead[] {
  const files = readRuleFiles(folder);
  const diagnostics = [...files.diagnostics];
  const profiles = readProfiles(files.profiles, files.models, diagnostics).map(profileHead);
  const fault = errorOf(diagnostics);
  if (fault) throw fault;
  return profiles;
}

/** What a folder lacks whose files may all be sound, in a sentence: without it nothing scans with the others. */
export function missingIn({ program, profiles }: CompiledRules, folder: string): string | undefined {
  if (program.rules.length === 0) return `there are no rules in ${folder}`;
  return profiles.some(({ id }) => id === 'default') ? undefined : `there is no profile default in ${folder}`;
}

/** Reads and compiles a rules folder, whose program is kept where it is fit to scan with. Examples are not run: see `runExamples`. */
export function loadRuleset(folder: string, cache?: ProgramCache, progress?: CompileProgress): Ruleset {
  return compileAndKeep(readRuleFiles(folder), folder, cache, progress);
}

function compileAndKeep(
  files: RuleFiles,
  folder: string,
  cache: ProgramCache | undefined,
  progress: CompileProgress | undefined,
): Ruleset {
  const kept = cache?.openRules();
  const ruleset = compileFiles(files, kept, progress);
  kept?.save();
  if (faultOf(ruleset, folder) === undefined) cache?.save(packsOf(files), ruleset.program);
  return ruleset;
}

/**
 * The rules of a folder as they are written, without compiling them: what is sound in form, to read and to list. With `id` only
 * those of files that name it, in time: its own, and those that have its patterns. What is wrong with the files that were
 * looked into is added to `diagnostics`.
 */
export function readRules(folder: string, id = '', diagnostics: Diagnostic[] = []): readonly LocatedRule[] {
  const files = readRuleFiles(folder);
  diagnostics.push(...files.diagnostics);
  const classes = readWordClasses(files.words, diagnostics);
  const named = files.packs.filter(({ text }) => text.includes(id));
  return named.flatMap((file) => readPack(file, classes, diagnostics));
}

/** The files that a program is made of; profiles are masks over it and not part of it. */
function packsOf({ packs, retired, words, models }: RuleFiles): readonly FileBytes[] {
  return [...packs, ...[retired, words].filter((file) => file !== undefined), ...models];
}

type ProfiledRules = Pick<Ruleset, 'program' | 'profiles' | 'diagnostics'>;

function profilesOf(files: RuleFiles, program: Program): ProfiledRules {
  const diagnostics: Diagnostic[] = [];
  const sources = readProfiles(files.profiles, program.models, diagnostics);
  const profiles = sources.map((source) => compileProfile(source, program));
  return { program, profiles, diagnostics };
}

function compileFiles(files: RuleFiles, kept: RuleCache | undefined, progress: CompileProgress | undefined): Ruleset {
  const diagnostics: Diagnostic[] = [...files.diagnostics];
  const classes = readWordClasses(files.words, diagnostics);
  const rules = files.packs.flatMap((file) => readPack(file, classes, diagnostics));
  checkIds(rules, readRetired(files.retired, diagnostics), diagnostics);
  const compiled = compileRules(rules, {
    models: soundModels(files.models, diagnostics),
    notes: rules.map(notesOf),
    kept,
    progress,
  });
  diagnostics.push(...compiled.diagnostics);
  const { program, profiles, diagnostics: ofProfiles } = profilesOf(files, compiled.program);
  return {
    program,
    profiles,
    rules,
    origins: compiled.origins,
    diagnostics: sortDiagnostics([...diagnostics, ...ofProfiles]),
  };
}

function soundModels(models: readonly ModelFile[], diagnostics: Diagnostic[]): readonly ModelFile[] {
  return models.filter(({ file, bytes }) => {
    try {
      decodeModel(bytes);
      return true;
    } catch (error) {
      if (!(error instanceof ModelFormatError)) throw error;
      diagnostics.push({ file, line: 1, column: 1, code: 'E601', message: error.message });
      return false;
    }
  });
}

function readPack({ file, text }: RuleFile, classes: WordClasses, diagnostics: Diagnostic[]): readonly LocatedRule[] {
  const { parsed, diagnostics: problems } = parseYamlFile(file, text, packSchema());
  diagnostics.push(...problems);
  if (!parsed) return [];
  const { policy, rules } = parsed.value;
  const [folder] = file.split('/');
  if (isPolicyCode(folder.slice(0, 5)) && !folder.startsWith(policy)) {
    diagnostics.push(parsed.diagnostic('E106', `the folder ${folder} does not belong to ${policy}`, ['policy']));
  }
  return rules.flatMap((source, index): LocatedRule[] => {
    if ((source.patterns === undefined) === (source.patterns_of === undefined)) {
      const message = `${source.id}: must have either patterns or patterns_of`;
      const place = source.patterns_of === undefined ? [] : ['patterns_of'];
      diagnostics.push(parsed.diagnostic('E102', message, ['rules', index, ...place]));
      return [];
    }
    if (
      source.least !== undefined &&
      !source.patterns?.every((pattern) => 'detect' in pattern && isLearned(pattern.detect))
    ) {
      const message = `${source.id}: least is for rules that a model speaks for`;
      diagnostics.push(parsed.diagnostic('E102', message, ['rules', index, 'least']));
      return [];
    }
    const patterns = source.patterns?.map((pattern, place): PatternSource => {
      if (!('phrase' in pattern)) return pattern;
      const phrase = expandWords(pattern.phrase, classes, (name) => {
        const path: YamlPath = ['rules', index, 'patterns', place, 'phrase'];
        diagnostics.push(parsed.diagnostic('E205', `${source.id}: there is no word class {${name}}`, path));
      });
      return { phrase };
    });
    const written = patterns === undefined ? source : { ...source, patterns };
    return [{ policy, source: written, pack: parsed, path: ['rules', index] }];
  });
}

function readRetired(file: RuleFile | undefined, diagnostics: Diagnostic[]): ReadonlySet<string> {
  if (!file) return new Set();
  const { parsed, diagnostics: problems } = parseYamlFile(file.file, file.text, retiredSchema());
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

function readProfiles(
  files: readonly RuleFile[],
  models: readonly { readonly name: string }[],
  diagnostics: Diagnostic[],
): readonly ProfileSource[] {
  const known = new Set(['none', shippedModel, ...models.map(({ name }) => name)]);
  const profiles = new Map<string, ProfileSource>();
  for (const { file, text } of files) {
    const { parsed, diagnostics: problems } = parseYamlFile(file, text, profileSchema());
    diagnostics.push(...problems);
    if (!parsed) continue;
    const { id, model = shippedModel, scan_scope: scanScope = 'all' } = parsed.value;
    if (!known.has(model)) diagnostics.push(parsed.diagnostic('E402', `there is no model ${model}`, ['model']));
    if (profiles.has(id)) diagnostics.push(parsed.diagnostic('E401', `there is another profile ${id}`, ['id']));
    else profiles.set(id, { ...parsed.value, scanScope });
  }
  return [...profiles.values()];
}
