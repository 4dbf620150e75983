import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Static, TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import { makeFolder } from '../domain/make-folder.js';
import { policyCodes } from '../domain/policy.js';
import { decodeUtf8 } from '../domain/utf8.js';
import { headsMax, headsWithGramsMax } from '../engine/learned/model.js';
import { readSample, type Sample } from '../eval/sample.js';
import { formatDiagnostic } from '../rules/diagnostic.js';
import type { CompiledRules } from '../rules/load.js';
import { notUtf8 } from '../rules/read.js';
import { parseYamlFile } from '../rules/yaml-file.js';
import { datasheet, outcomesOf } from '../train/datasheet.js';
import type { TrainingSample } from '../train/lesson-book.js';
import { classesSchema, type Lexicon, lexiconOf } from '../train/lexicon.js';
import { defaultRecipe, defaultRoles, modelNamePattern, type Recipe, recipeSchema } from '../train/recipe.js';
import { type HeadOptions, type Trained, train } from '../train/train.js';
import { BadLines } from './bad-lines.js';
import { isDay } from './day.js';
import { bytesOf, labelledFiles, readFiles } from './eval-input.js';
import { writeOutputs } from './outputs.js';
import { parsePolicies } from './policies.js';
import { startProgress } from './progress.js';
import { listed, note, print, table, UsageError, unreadable, unwritable } from './terminal.js';
import { sampleReader } from './train-samples.js';

/** The flags of `merlon train` as they stand on the command line. */
export interface TrainFlags {
  readonly data: readonly string[];
  readonly out: string;
  readonly recipe?: string;
  readonly name?: string;
  readonly policies?: string;
  readonly date?: string;
  readonly worst: number;
  readonly json?: true;
}

/** Fewer teach nothing that holds; a warning is given below ten times as many benign ones. */
const attacksMin = 100;
const benignMin = 500;

/**
 * `merlon train`: learns a model from labelled data and writes it, and its datasheet beside it. Exit code 0; 1 where
 * lines could not be read.
 */
export async function trainModel(flags: TrainFlags, rules: CompiledRules, rulesFolder: string): Promise<number> {
  if (flags.date !== undefined && !isDay(flags.date)) {
    throw new UsageError(`--date must be a day such as 2026-01-31, not "${flags.date}"`);
  }
  const recipe = readRecipe(flags);
  const lexicon = readLexicon(rulesFolder);
  const sheet = flags.out.replace(/\.model$/, '.md');
  if (sheet === flags.out) throw new UsageError('--out: the name must end in .model');
  const files = labelledFiles(flags.data);
  for (const path of [flags.out, sheet]) prepareToWrite(path);
  const read = sampleReader(rules.program, recipe);
  const samples: TrainingSample[] = [];
  const sources = new Set<string>();
  const badLines = new BadLines();
  const reading = startProgress('reading', bytesOf(files));
  try {
    for await (const { file, line, value, error } of readFiles<Sample>(files, readSample, reading)) {
      if (!value) {
        badLines.add(file, line, error);
        continue;
      }
      sources.add(value.source);
      const sample = read(value);
      if (sample) samples.push(sample);
    }
  } finally {
    reading.stop();
  }
  badLines.sumUp('read');
  noteUnknownSources(recipe, sources);
  checkAmounts(samples, recipe);
  const trained = learn(samples, recipe, lexicon);
  const date = flags.date ?? new Date().toISOString().slice(0, 10);
  await writeOutputs(dirname(flags.out), {
    [basename(flags.out)]: trained.model,
    [basename(sheet)]: datasheet(trained, recipe, samples, date),
  });
  print(
    flags.json ? JSON.stringify(summary(flags.out, sheet, trained, samples), null, 2) : report(trained, flags.worst),
  );
  note(`written: ${flags.out}, ${sheet}`);
  return badLines.count > 0 ? 1 : 0;
}

function learn(samples: readonly TrainingSample[], recipe: Recipe, lexicon: Lexicon): Trained {
  const heads = policyCodes.flatMap((policy): HeadOptions[] => {
    const budget = recipe.policies[policy];
    if (!budget) return [];
    const { roles = defaultRoles, false_positives: falsePositivesMax, prior = 0, length_cost: lengthCost = 0 } = budget;
    return [{ policy, roles, prior, lengthCost, falsePositivesMax, addedMax: recipe.ordinary?.added ?? 1 }];
  });
  const { name, learner, cost, passes, rounds, folds, seed } = recipe;
  const progress = startProgress('learning', 1_000);
  try {
    return train(
      samples,
      {
        ...{ name, heads, lexicon, learner, cost, passes, rounds, folds, seed },
        attackFactor: recipe.attack_factor,
        languageFactor: recipe.language_factor,
        wholeTexts: recipe.whole_texts,
        featuresMax: recipe.features,
        frequencyMin: recipe.frequency_min,
        wordsOnly: recipe.words_only,
      },
      (done, all) => progress.advance((1_000 * done) / all),
    );
  } finally {
    progress.stop();
  }
}

function readRecipe({ recipe: path, name, policies }: TrainFlags): Recipe {
  const file = path === undefined ? {} : readYaml(path, '--recipe', recipeSchema);
  const own = policies === undefined ? undefined : parsePolicies(policies);
  if (name !== undefined && !new RegExp(modelNamePattern).test(name)) {
    throw new UsageError(`--name must be up to 64 lowercase letters, digits and . _ -, not "${name}"`);
  }
  const recipe: Recipe = {
    ...defaultRecipe,
    ...file,
    ...(name === undefined ? {} : { name }),
    ...(own ? { policies: Object.fromEntries(own.map((code) => [code, { false_positives: 0.005 }])) } : {}),
  };
  if (!recipe.words_only && Object.keys(recipe.policies).length > headsWithGramsMax) {
    const argument = own ? '--policies' : '--recipe: policies';
    throw new UsageError(`${argument}: at most ${headsWithGramsMax}, or ${headsMax} with words_only`);
  }
  return recipe;
}

/** A misspelt name would change nothing, in silence; the recipes that are shipped name sources that nobody else may have. */
function noteUnknownSources({ families, judged_only, not_counted }: Recipe, known: ReadonlySet<string>): void {
  const named = new Set([...Object.values(families).flat(), ...judged_only, ...not_counted]);
  const unknown = [...named].filter((name) => !known.has(name));
  if (unknown.length > 0) note(`--recipe: no source of the data is called ${listed(unknown, 'sources')}`);
}

function readLexicon(rulesFolder: string): Lexicon {
  return lexiconOf(readYaml(join(rulesFolder, 'lists', 'classes.yaml'), 'MERLON_RULES', classesSchema));
}

function readYaml<S extends TSchema>(
  path: string,
  argument: string,
  schema: Validator<Record<never, TSchema>, S>,
): Static<S> {
  let text: ReturnType<typeof decodeUtf8>;
  try {
    text = decodeUtf8(readFileSync(path));
  } catch (error) {
    throw unreadable(path, error, argument);
  }
  if (typeof text !== 'string') throw new UsageError(`${argument}: ${formatDiagnostic(notUtf8(path, text))}`);
  const { parsed, diagnostics } = parseYamlFile(path, text, schema);
  if (!parsed) throw new UsageError(`${argument}: ${diagnostics.map(formatDiagnostic).join('\n')}`);
  return parsed.value;
}

function checkAmounts(samples: readonly TrainingSample[], recipe: Recipe): void {
  const learned = samples.filter(({ isLearned }) => isLearned);
  const benign = learned.filter(({ isAttack }) => !isAttack).length;
  if (benign < benignMin) throw new UsageError(`--data: ${benign} benign messages; at least ${benignMin} are needed`);
  for (const policy of Object.keys(recipe.policies)) {
    const attacks = learned.filter(({ policies }) => policies.some((code) => code === policy));
    const families = new Set(attacks.map(({ family }) => family));
    if (attacks.length < attacksMin) {
      throw new UsageError(`--data: ${attacks.length} attacks of ${policy}; at least ${attacksMin} are needed`);
    }
    if (families.size < 2) {
      throw new UsageError(`--data: attacks of ${policy} come from one source; at least two are needed to judge by`);
    }
  }
  if (benign < 10 * benignMin) {
    note(`${benign} benign messages: false positives below ${(1_000 / benign).toFixed(1)} % cannot be told apart`);
  }
}

/** Makes the folder. Learning takes minutes, and should not turn out to be for nothing. */
function prepareToWrite(path: string): void {
  try {
    makeFolder(dirname(path));
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new UsageError(`--out: ${path} is a folder`);
    for (const each of [dirname(path), ...(found ? [path] : [])]) accessSync(each, constants.W_OK);
  } catch (error) {
    throw error instanceof UsageError ? error : unwritable(path, error);
  }
}

function summary(
  model: string,
  sheet: string,
  { heads, features, model: { length } }: Trained,
  samples: readonly TrainingSample[],
) {
  return {
    ...{ model, datasheet: sheet, bytes: length, features },
    samples: samples.length,
    heads: heads.map(({ policy, offset, slope, recall, falsePositives }) => ({
      ...{ policy, offset, slope, recall },
      false_positives: falsePositives,
    })),
  };
}

/** How each head did in cross-validation, and where it was most wrong; ids only, because texts may be secret. */
function report({ heads, features, model }: Trained, worst: number): string {
  const rows = heads.map((head) => {
    const outcomes = outcomesOf(head);
    const found = (isCounted: (outcome: (typeof outcomes)[number]) => boolean) => {
      const attacks = outcomes.filter(({ isAttack }) => isAttack);
      return `${((100 * attacks.filter(isCounted).length) / Math.max(1, attacks.length)).toFixed(1)} %`;
    };
    return [
      head.policy,
      found(({ byRules }) => byRules),
      found(({ byBoth }) => byBoth),
      `${(100 * head.recall).toFixed(1)} %`,
      `${(100 * head.falsePositives).toFixed(2)} %`,
    ];
  });
  const wrong = heads.flatMap((head) => {
    const outcomes = outcomesOf(head);
    const missed = outcomes.filter(({ isAttack, byBoth }) => isAttack && !byBoth).sort((a, b) => a.score - b.score);
    const flagged = outcomes.filter(({ isAttack, byRules, byBoth }) => !isAttack && byBoth && !byRules);
    const line =
      (kind: string) =>
      ({ sample, score }: (typeof outcomes)[number]) => [
        `${head.policy} ${kind}`,
        score.toFixed(2),
        sample.source,
        sample.id,
      ];
    return [
      ...missed.slice(0, worst).map(line('missed')),
      ...flagged
        .sort((a, b) => b.score - a.score)
        .slice(0, worst)
        .map(line('false alarm')),
    ];
  });
  return [
    `${features} features, ${model.length} bytes`,
    '',
    table([['policy', 'rules', 'both', 'mean of sources', 'benign flagged'], ...rows]),
    ...(wrong.length === 0 ? [] : ['', 'most wrong in cross-validation', table(wrong)]),
  ].join('\n');
}
