import { limits } from '../domain/limits.js';
import type { Message } from '../domain/message.js';
import type { Profile } from '../engine/judge/profile.js';
import { readMessage } from '../eval/sample.js';
import { type CostReport, measureRules } from '../rules/cost.js';
import type { CompiledRules } from '../rules/load.js';
import { BadLines } from './bad-lines.js';
import { bytesOf, labelledFiles, readFiles } from './eval-input.js';
import { startProgress } from './progress.js';
import { colors, note, print, table, UsageError } from './terminal.js';

export interface ProfileOptions {
  readonly data: readonly string[];
  readonly top: number;
  readonly json: boolean;
}

/**
 * `merlon rules profile`: what each rule costs on messages, labelled or not, dearest first. Reads up to
 * `limits.profileUnitsMax` of them. Exit code 0, or 1 where a line could not be read.
 */
export async function profileRules(
  options: ProfileOptions,
  { program }: CompiledRules,
  profile: Profile,
): Promise<number> {
  const { messages, isCut, badLines } = await readMessages(labelledFiles(options.data));
  badLines.sumUp('read');
  if (messages.length === 0) throw new UsageError(`--data: there is no message in ${options.data.join(', ')}`);
  note(`measuring ${program.rules.length} rules on ${messages.length} messages${isCut ? ' (the first of them)' : ''}`);
  const report = measureRules(program, profile, messages);
  print(options.json ? JSON.stringify(report, null, 2) : render(report, options.top));
  return badLines.count > 0 ? 1 : 0;
}

async function readMessages(files: readonly string[]) {
  const messages: Message[] = [];
  let units = 0;
  const badLines = new BadLines();
  const progress = startProgress('reading', bytesOf(files));
  try {
    for await (const { file, line, value, error } of readFiles(files, readMessage, progress)) {
      if (!value) {
        badLines.add(file, line, error);
        continue;
      }
      units += value.content.length;
      if (units > limits.profileUnitsMax) return { messages, isCut: true, badLines };
      messages.push(value);
    }
  } finally {
    progress.stop();
  }
  return { messages, isCut: false, badLines };
}

function render({ messages, bytes, us_per_kb, rules_share, rules }: CostReport, top: number): string {
  const shown = rules.slice(0, top);
  const sharers = new Map<string, readonly string[]>();
  for (const { id, patterns_of } of rules) {
    if (patterns_of !== undefined) sharers.set(patterns_of, [...(sharers.get(patterns_of) ?? []), id]);
  }
  const rows = shown.map((rule) => [
    rule.patterns_of === undefined
      ? [rule.id, ...(sharers.get(rule.id) ?? [])].join(' + ')
      : `${rule.id} (see ${rule.patterns_of})`,
    rule.us_per_kb.toFixed(4),
    `${(rule.share * 100).toFixed(2)} %`,
    String(rule.sightings),
    String(rule.openings),
    String(rule.runs),
    String(rule.matches),
  ]);
  const hints = shown.flatMap(({ id, hints: ofRule }) => ofRule.map((hint) => `  ${id} ${hint}`));
  return [
    `${colors.bold(`${us_per_kb.toFixed(3)} µs per KB`)} on ${messages} messages, ${Math.round(bytes / 1_024)} KB; ${(rules_share * 100).toFixed(1)} % of it in rules, the rest in the walk over text and views`,
    table([['RULE', 'µs/KB', 'SHARE', 'SIGHTINGS', 'OPENINGS', 'REGEX RUNS', 'MATCHES'], ...rows]),
    ...(rules.length > shown.length ? [`… and ${rules.length - shown.length} cheaper rules (--top)`] : []),
    ...(hints.length > 0 ? [`\n${colors.bold('What to change')}`, ...hints] : []),
  ].join('\n');
}
