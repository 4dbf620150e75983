import { join } from 'node:path';
import { limits } from '../domain/limits.js';
import type { Message } from '../domain/message.js';
import { type PolicyCode, policyCodes } from '../domain/policy.js';
import type { Profile } from '../engine/judge/profile.js';
import { CaseComparer, compareGroups, isRegression, type JudgedPolicy, KnownCases } from '../eval/compare.js';
import { Evaluation } from '../eval/evaluation.js';
import { restKey } from '../eval/groups.js';
import { judgedUnder, withoutThresholds } from '../eval/judged.js';
import { MessageSample } from '../eval/message-sample.js';
import { redactedPreview, wholeText } from '../eval/preview.js';
import { renderReport } from '../eval/report/report.js';
import { caseLine, type EvalResult, type EvalTables } from '../eval/result.js';
import { readSample, type Sample } from '../eval/sample.js';
import { shapedTypes } from '../eval/spans.js';
import { Weigher } from '../eval/weighed.js';
import { readBuildInfo } from '../guard/build-info.js';
import { measureRules } from '../rules/cost.js';
import type { CompiledRules } from '../rules/load.js';
import { BadLines } from './bad-lines.js';
import { judgeInOrder } from './bulk.js';
import { type Baseline, loadBaseline } from './eval-baseline.js';
import { bytesOf, labelledFiles, type ReadLine, readFiles } from './eval-input.js';
import { evalTables, type TableName } from './eval-tables.js';
import { type Outputs, openOutputs } from './outputs.js';
import { awaitWithProgress, startProgress } from './progress.js';
import { listed, note, print, UsageError } from './terminal.js';

export interface EvalOptions {
  readonly data: readonly string[];
  readonly out?: string;
  readonly baseline?: string;
  readonly json: boolean;
  readonly by: readonly TableName[];
  readonly worst: number;
  readonly showText: boolean;
  readonly failOnRegression: boolean;
  readonly debatable: readonly string[];
  readonly spanTypes: readonly string[];
  /** Where only these policies are judged: attacks of none of them are left out. */
  readonly policies?: readonly PolicyCode[];
}

/**
 * `merlon eval`: judges labelled data under a profile and says how well it did. Exit code 0; 1 where a line could not be
 * judged, or where `failOnRegression` is set and an attack was newly lost or a benign sample newly flagged.
 */
export async function evaluate(options: EvalOptions, rules: CompiledRules, profile: Profile): Promise<number> {
  const files = labelledFiles(options.data);
  const run = { profile: profile.id, judged: judgedPolicies(profile, options.policies) };
  const baseline = options.baseline === undefined ? undefined : await loadBaseline(options.baseline, run);
  // Changes of a former run speak of other files than those that this one writes.
  const outdated = baseline?.cases ? [] : [changesName];
  const outputs =
    options.out === undefined ? undefined : await openOutputs(options.out, namesOfOutputs(baseline), { outdated });
  try {
    return await evaluateFiles({ files, options, rules, profile, baseline, outputs });
  } finally {
    await outputs?.close();
  }
}

const casesName = 'cases.jsonl';
const changesName = 'changes.jsonl';

/** There are changes where the cases of the baseline are known. */
function namesOfOutputs(baseline: Baseline | undefined): readonly string[] {
  return ['result.json', casesName, 'report.html', ...(baseline?.cases ? [changesName] : [])];
}

interface Work {
  readonly files: readonly string[];
  readonly options: EvalOptions;
  readonly rules: CompiledRules;
  readonly profile: Profile;
  readonly baseline: Baseline | undefined;
  readonly outputs: Outputs | undefined;
}

async function evaluateFiles(work: Work): Promise<number> {
  const { files, options, rules, profile, baseline, outputs } = work;
  const run = await judgeFiles(work);
  const { tables, seconds, samples, badLines } = run;
  badLines.sumUp('judged');
  if (samples === 0) throw new UsageError(`--data: there is no labelled sample in ${options.data.join(', ')}`);
  noteUnseen(
    '--debatable',
    options.debatable,
    'sample',
    tables.sources.map(({ key }) => key),
  );
  if (options.spanTypes === shapedTypes) noteUncounted(run.uncountedTypes);
  else
    noteUnseen('--span-types', options.spanTypes, 'labelled span', tables.spans?.types.map(({ type }) => type) ?? []);
  if (baseline?.cases) noteUnjudged(baseline.cases.size, run.comparer.result().only_in_baseline);
  const comparison = baseline && {
    ruleset: baseline.ruleset,
    by_case: baseline.cases !== undefined,
    ...(baseline.shared ? { policies: [...baseline.shared.before.keys()] } : {}),
    ...run.comparer.result(),
    groups: compareGroups(baseline.tables, tables),
  };
  const result: EvalResult = {
    version: 1,
    data: {
      ...{ files, samples, bad_lines: badLines.count, errors: badLines.named },
      ...(run.leftOut === 0 ? {} : { left_out: run.leftOut }),
      ...(run.truncated === 0 ? {} : { truncated: run.truncated }),
    },
    profile: profile.id,
    ruleset: rules.program.hash,
    revision: readBuildInfo().gitRevision,
    seconds,
    ...(options.out === undefined ? {} : { cases: casesName }),
    ...(comparison ? { comparison } : {}),
    ...tables,
  };
  if (outputs) {
    const costs = await awaitWithProgress('measuring the rules', (step) =>
      measureRules(rules.program, profile, run.kept.messages(), step),
    );
    await outputs.write('result.json', `${JSON.stringify(result, null, 1)}\n`);
    await outputs.write('report.html', renderReport(result, costs));
    await outputs.publish();
    note(
      `written: ${namesOfOutputs(baseline)
        .map((name) => join(options.out ?? '', name))
        .join(', ')}`,
    );
  }
  print(options.json ? JSON.stringify(result, null, 2) : evalTables(result, options));
  const isWorse = comparison !== undefined && isRegression(comparison);
  if (isWorse && options.failOnRegression) note('worse than the baseline');
  return badLines.count > 0 || (isWorse && options.failOnRegression) ? 1 : 0;
}

/** Where no case is compared none can be lost, whatever the rules are. Throws `UsageError` then. */
function noteUnjudged(cases: number, unjudged: number): void {
  if (unjudged === cases) throw new UsageError(`--baseline: none of its ${cases} cases is among the samples`);
  if (unjudged > 0) note(`--baseline: ${unjudged} of its ${cases} cases are not among the samples`);
}

/** A misspelt name would change nothing, or count nothing, in silence. Of more names than are told apart nothing is known. */
function noteUnseen(option: string, names: readonly string[], what: string, seen: readonly string[]): void {
  const unseen = seen.includes(restKey) ? [] : names.filter((name) => !seen.includes(name));
  if (unseen.length > 0) note(`${option}: no ${what} that was judged is of ${unseen.join(', ')}`);
}

/** Values that people labelled and the result says nothing of. */
function noteUncounted(types: readonly string[]): void {
  if (types.length === 0) return;
  note(`--span-types: labelled spans of ${listed(types, 'types')} were not counted, because nobody named them`);
}

interface Run {
  readonly tables: EvalTables;
  readonly uncountedTypes: readonly string[];
  readonly comparer: CaseComparer;
  readonly kept: MessageSample;
  readonly samples: number;
  readonly leftOut: number;
  readonly truncated: number;
  readonly badLines: BadLines;
  readonly seconds: number;
}

async function judgeFiles({ files, options, rules: { program }, profile, baseline, outputs }: Work): Promise<Run> {
  const preview = options.showText ? wholeText : redactedPreview;
  const { spanTypes, debatable } = options;
  const weigher = new Weigher(program, profile);
  const evaluation = new Evaluation(program, profile, weigher, { spanTypes, debatable, preview });
  const comparer = new CaseComparer(baseline?.cases ?? new KnownCases(), baseline?.shared);
  const kept = new MessageSample(limits.evalCostUnitsMax);
  let samples = 0;
  let leftOut = 0;
  let truncated = 0;
  const badLines = new BadLines();
  const began = performance.now();
  const progress = startProgress('evaluating', bytesOf(files));
  try {
    await judgeInOrder(
      program,
      withoutThresholds(profile),
      entriesOf(readFiles(files, readSample, progress)),
      async (batch) => {
        const caseLines: string[] = [];
        const changeLines: string[] = [];
        for (const { entry, verdict } of batch) {
          const { file, line, value: sample, error } = entry;
          if (!sample || !verdict) {
            badLines.add(file, line, error);
            continue;
          }
          if (!isOf(options.policies, sample)) {
            leftOut++;
            continue;
          }
          samples++;
          if (verdict.truncated) truncated++;
          const judged = judgedUnder(profile, sample, verdict, weigher);
          evaluation.add(judged);
          kept.add({ role: sample.role, content: sample.text });
          const known = caseLine(judged, preview);
          if (outputs) caseLines.push(JSON.stringify(known));
          const change = baseline?.cases ? comparer.add(known) : undefined;
          if (change) changeLines.push(JSON.stringify(change));
        }
        await outputs?.write(casesName, linesOf(caseLines));
        if (changeLines.length > 0) await outputs?.write(changesName, linesOf(changeLines));
      },
    );
  } finally {
    progress.stop();
  }
  const seconds = Math.round(performance.now() - began) / 1_000;
  const uncountedTypes = evaluation.uncountedTypes();
  const tables = tablesOf(evaluation, options.policies);
  return { tables, uncountedTypes, comparer, kept, samples, leftOut, truncated, badLines, seconds };
}

function judgedPolicies({ settings }: Profile, judged: readonly PolicyCode[] = policyCodes): readonly JudgedPolicy[] {
  return policyCodes
    .map((policy, index) => ({ policy, mode: settings[index].mode }))
    .filter(({ policy }) => judged.includes(policy));
}

/** Of the policies that are not judged, and of their rules, there is nothing to tell: they are off, and have no threshold. */
function tablesOf(evaluation: Evaluation, judged: readonly PolicyCode[] = policyCodes): EvalTables {
  const tables = evaluation.tables();
  const isJudged = ({ policy }: { readonly policy: PolicyCode }) => judged.includes(policy);
  return { ...tables, policies: tables.policies.filter(isJudged), rules: tables.rules.filter(isJudged) };
}

/** Benign samples are of all policies: none may flag them. */
function isOf(policies: readonly PolicyCode[] | undefined, sample: Sample): boolean {
  return policies === undefined || !sample.isAttack || sample.policies.some((policy) => policies.includes(policy));
}

async function* entriesOf(
  lines: AsyncIterable<ReadLine<Sample>>,
): AsyncGenerator<ReadLine<Sample> & { readonly messages?: readonly Message[] }> {
  for await (const line of lines) {
    const { value: sample } = line;
    yield sample ? { ...line, messages: [{ role: sample.role, content: sample.text }] } : { ...line };
  }
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
