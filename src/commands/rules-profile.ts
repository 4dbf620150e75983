import { limits } from '../domain/limits.js';
import type { Message } from '../domain/message.js';
import type { Profile } from '../engine/judge/profile.js';
import { readMessage } from '../eval/sample.js';
import { type CostReport, measureRules } from '../rules/cost.js';
import type { CompiledRules } from '../rules/load.js';
import { BadLines } from './bad-lines.js';
import { bytesOf, labelledFiles, readFiles } from './eval-input.js';
import { awaitWithProgress, startProgress } from './progress.js';
import { colors, note, print, table, UsageError } from './terminal.js';

export interface ProfileOptions {
  readonly data: readonly string[];
  readonly top: number;
  readonly json: boolean;
}

/**
 * `merlon rules profile`: what each rule costs on messages, labelled or not, dearest first. Those that
 * go beyond `limits.profileUnitsMax` together are passed over, one by one. Exit code 0, or 1 where a line could not be read.
 */
export async function profileRules(
  options: ProfileOptions,
  { program }: CompiledRules,
  profile: Profile,
): Promise<number> {
  const { messages, isCut, badLines } = await readMessages(labelledFiles(options.data));
  badLines.sumUp('read');
  const most = `${(limits.profileUnitsMax / 1e6).toFixed(1)} million characters`;
  if (messages.length === 0) {
    const unlessLong = isCut ? ` of up to ${most}` : '';
    throw new UsageError(`--data: there is no message${unlessLong} in ${options.data.join(', ')}`);
  }
  const leftOut = isCut ? ` (others are left out: all together have up to ${most})` : '';
  note(`measuring ${program.rules.length} rules on ${messages.length} messages${leftOut}`);
  const report = await awaitWithProgress('measuring', (step) => measureRules(program, profile, messages, step));
  print(options.json ? JSON.stringify(report, null, 2) : render(report, options.top));
  return badLines.count > 0 ? 1 : 0;
}

async function readMessages(files: readonly string[]) {
  const messages: Message[] = [];
  let units = 0;
  let isCut = false;
  const badLines = new BadLines();
  const progress = startProgress('reading', bytesOf(files));
  try {
    for await (const { file, line, value, error } of readFiles(files, readMessage, progress)) {
      if (!value) {
        badLines.add(file, line, error);
        continue;
      }
      // What is too long, or comes when little room is left, says nothing of the messages behind it.
      if (units + value.content.length > limits.profileUnitsMax) {
        isCut = true;
        continue;
      }
      units += value.content.length;
      messages.push(value);
    }
  } finally {
    progress.stop();
  }
  return { messages, isCut, badLines };
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
