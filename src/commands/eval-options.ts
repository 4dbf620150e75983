import { shapedTypes } from '../eval/spans.js';
import type { EvalOptions } from './eval.js';
import { type TableName, tableNames } from './eval-tables.js';
import { parsePolicies } from './policies.js';
import { UsageError } from './terminal.js';

/** The flags of `merlon eval` as they stand on the command line. */
export interface EvalFlags {
  readonly data: readonly string[];
  readonly out?: string;
  readonly baseline?: string;
  readonly failOnRegression?: true;
  readonly profile: string;
  readonly policies?: string;
  readonly by: string;
  readonly worst: string;
  readonly debatable?: string;
  readonly spanTypes?: string;
  readonly showText?: true;
  readonly json?: true;
}

/** Throws `UsageError` naming the flag. */
export function readEvalOptions(flags: EvalFlags): EvalOptions {
  if (flags.failOnRegression && flags.baseline === undefined) {
    throw new UsageError('--fail-on-regression needs --baseline to compare with');
  }
  return {
    data: flags.data,
    ...(flags.out === undefined ? {} : { out: flags.out }),
    ...(flags.baseline === undefined ? {} : { baseline: flags.baseline }),
    ...(flags.policies === undefined ? {} : { policies: parsePolicies(flags.policies) }),
    json: flags.json === true,
    by: listed(flags.by).map(tableName),
    worst: wholeNumber('--worst', flags.worst),
    showText: flags.showText === true,
    failOnRegression: flags.failOnRegression === true,
    debatable: listed(flags.debatable ?? ''),
    spanTypes: flags.spanTypes === undefined ? shapedTypes : listed(flags.spanTypes),
  };
}

/** More than anybody reads of a table. */
const rowsMax = 999_999;

/** Rows to print, as a flag gives them. Throws `UsageError` naming the flag. */
export function wholeNumber(flag: string, text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= rowsMax) return Number(text);
  throw new UsageError(`${flag} must be a whole number from 0 to ${rowsMax}, not "${text}"`);
}

function tableName(name: string): TableName {
  const known = tableNames.find((each) => each === name);
  if (known) return known;
  throw new UsageError(`--by: there is no table "${name}"; there are ${tableNames.join(', ')}`);
}

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
