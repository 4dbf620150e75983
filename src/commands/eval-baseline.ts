import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { limits } from '../domain/limits.js';
import { policyCodes, policyModes } from '../domain/policy.js';
import {
  type ComparedTables,
  type JudgedPolicy,
  KnownCases,
  type SharedPolicies,
  sharedPolicies,
} from '../eval/compare.js';
import { decodeLine, openInput, readLines } from './lines.js';
import { note, UsageError, unreadable } from './terminal.js';

const Rate = Type.Object({
  k: Type.Integer(),
  n: Type.Integer(),
  rate: Type.Number(),
  low: Type.Number(),
  high: Type.Number(),
});
const Group = Type.Object({ key: Type.String(), recall: Rate, false_positives: Rate });
const PolicyCode = Type.Enum(policyCodes);
/** What a comparison reads of a `result.json`. */
const resultSchema = Compile(
  Type.Object({
    version: Type.Literal(1),
    data: Type.Object({ samples: Type.Integer() }),
    profile: Type.String(),
    ruleset: Type.String(),
    cases: Type.Optional(Type.String()),
    policies: Type.Array(
      Type.Object({ policy: PolicyCode, mode: Type.Enum(policyModes), recall: Rate, false_positives: Rate }),
    ),
    sources: Type.Array(Group),
    rules: Type.Array(Type.Object({ id: Type.String(), recall: Rate, false_positives: Rate })),
  }),
);
const caseSchema = Compile(
  Type.Object({
    id: Type.String(),
    source: Type.String(),
    outcome: Type.Enum(['found', 'missed', 'flagged', 'clean']),
    policies: Type.Array(PolicyCode),
  }),
);

/** A result to compare with. */
export interface Baseline {
  readonly ruleset: string;
  readonly tables: ComparedTables;
  /** Undefined where the result has none beside it. */
  readonly cases: KnownCases | undefined;
  /** Undefined where it judged the policies of this run and no others. */
  readonly shared: SharedPolicies | undefined;
}

/** The run that is compared with a baseline. */
interface ThisRun {
  /** Id of its profile. */
  readonly profile: string;
  readonly judged: readonly JudgedPolicy[];
}

/**
 * Reads a `result.json` and the cases beside it, and says where its profile is another one. Throws `UsageError` naming `--baseline`,
 * also where there is nothing that both runs judge.
 */
export async function loadBaseline(file: string, run: ThisRun): Promise<Baseline> {
  const value = readResult(file);
  if (!resultSchema.Check(value)) throw new UsageError(`--baseline: ${file} is not a result of \`merlon eval\``);
  const { ruleset, policies, sources, rules, data, profile } = value;
  const shared = sharedPolicies(policies, run.judged);
  if (shared?.before.size === 0) throw new UsageError(`--baseline: ${file} judged none of the policies of this run`);
  const casesFile = value.cases === undefined ? undefined : join(dirname(file), value.cases);
  const cases = casesFile && existsSync(casesFile) ? await loadCases(casesFile) : undefined;
  // Cases that are not there cannot be lost: any rules would be as good as such a baseline.
  if (cases && cases.size !== data.samples) {
    throw new UsageError(
      `--baseline: ${casesFile} has ${cases.size} cases, and ${file} counts ${data.samples} samples`,
    );
  }
  if (profile !== run.profile) note(`--baseline: its profile is ${profile}, and that of this run ${run.profile}`);
  return { ruleset, tables: { policies, sources, rules }, cases, shared };
}

function readResult(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`--baseline: ${file} is not valid JSON`);
    throw unreadable(file, error, '--baseline');
  }
}

async function loadCases(file: string): Promise<KnownCases> {
  const cases = new KnownCases();
  for await (const line of readLines(openInput(file, '--baseline').stream)) {
    const text = decodeLine(line.bytes);
    const value: unknown = typeof text === 'string' ? parse(text) : undefined;
    if (!caseSchema.Check(value)) throw new UsageError(`--baseline: ${file}:${line.number} is not a case`);
    if (cases.size >= limits.evalBaselineCasesMax) {
      throw new UsageError(`--baseline: ${file} has more than ${limits.evalBaselineCasesMax} cases`);
    }
    const { source, id, outcome, policies } = value;
    cases.add({ source, id }, { outcome, policies });
  }
  return cases;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
