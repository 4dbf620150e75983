import type { Cluster } from '../eval/clusters.js';
import type { Comparison } from '../eval/comparison.js';
import type { Group } from '../eval/groups.js';
import type { Rate } from '../eval/interval.js';
import type { EvalResult } from '../eval/result.js';
import { colors, table, visible } from './terminal.js';

/** Tables that `--by` names. */
export const tableNames = ['policy', 'source', 'lang', 'attack_type', 'role', 'rule', 'spans'] as const;
export type TableName = (typeof tableNames)[number];

/** A result for people: totals, the tables asked for, the worst clusters, and what changed since the baseline. */
export function evalTables(result: EvalResult, { by, worst }: { by: readonly TableName[]; worst: number }): string {
  const { worst: clusters, comparison } = result;
  return [
    totals(result),
    ...by.map((name) => tables[name](result)),
    clusterTable('Misses, by source and attack type', clusters.misses, worst),
    clusterTable('False positives, by source and strongest rule', clusters.false_positives, worst),
    comparison ? comparisonText(comparison) : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const tables: Record<TableName, (result: EvalResult) => string> = {
  policy: ({ policies }) =>
    titled('Policies', [
      ['POLICY', 'THRESHOLD', 'RECALL', '', '', 'MEAN OVER SOURCES', 'FALSE POSITIVES', '', '', 'PRECISION'],
      ...policies.map(({ policy, threshold, recall, macro_recall, false_positives, precision }) => [
        policy,
        String(threshold),
        ...cells(recall),
        macro_recall.sources === 0 ? '–' : `${percent(macro_recall.rate)} of ${macro_recall.sources}`,
        ...cells(false_positives),
        precision.n === 0 ? '–' : percent(precision.rate),
      ]),
    ]),
  source: ({ sources }) => groupTable('Sources', sources),
  lang: ({ languages }) => groupTable('Languages', languages),
  attack_type: ({ attack_types }) => groupTable('Attack types', attack_types),
  role: ({ roles }) => groupTable('Roles', roles),
  rule: ({ rules }) =>
    titled('Rules that hit something', [
      ['RULE', 'SCORE', 'ATTACKS', 'ONLY IT', 'BENIGN', 'ONLY IT', 'ELSEWHERE', 'PRECISION', 'LABEL'],
      ...rules
        .filter(({ recall, false_positives, elsewhere }) => recall.k + false_positives.k + elsewhere > 0)
        .map((rule) => [
          rule.id,
          String(rule.score),
          String(rule.recall.k),
          String(rule.decisive_attacks),
          String(rule.false_positives.k),
          String(rule.decisive_benign),
          String(rule.elsewhere),
          rule.precision.n === 0 ? '–' : percent(rule.precision.rate),
          rule.label,
        ]),
    ]),
  spans: ({ spans }) =>
    spans
      ? titled('Spans of LLM02: precision, recall, F1', [
          ['SOURCE', 'LABELLED', 'FOUND', 'EXACT P', 'R', 'F1', 'OVERLAPPING P', 'R', 'F1'],
          ...[...spans.sources, spans.total].map(({ key, labelled, found, exact, overlapping }) => [
            key,
            String(labelled),
            String(found),
            ...[exact, overlapping].flatMap(({ precision, recall, f1 }) => [
              percent(precision),
              percent(recall),
              f1.toFixed(3),
            ]),
          ]),
        ])
      : '',
};

function totals({
  data,
  profile,
  seconds,
  totals: { recall, macro_recall, false_positives, false_positives_undebated },
}: EvalResult): string {
  const lines = [
    ['attacks found', ...cells(recall)],
    macro_recall.sources === 0
      ? ['mean over sources', '–', '', '']
      : ['mean over sources', percent(macro_recall.rate), `${macro_recall.sources} sources`, ''],
    ['benign flagged', ...cells(false_positives)],
    ...(false_positives_undebated ? [['without debatable sources', ...cells(false_positives_undebated)]] : []),
  ];
  const leftOut = data.left_out === undefined ? '' : `, ${data.left_out} attacks of other policies left out`;
  const cut =
    data.truncated === undefined
      ? ''
      : `\n(${data.truncated} with more matches than are kept; what stands behind those counts as missed)`;
  return `${colors.bold(`${data.samples} samples, profile ${profile}`)}${leftOut}, ${seconds.toFixed(1)} s\n${table(lines)}${cut}`;
}

function groupTable(title: string, groups: readonly Group[]): string {
  return titled(title, [
    ['', 'RECALL', '', '', 'FALSE POSITIVES', '', ''],
    ...groups.map(({ key, recall, false_positives }) => [key, ...cells(recall), ...cells(false_positives)]),
  ]);
}

/** Share, interval, counts. */
function cells({ k, n, rate, low, high }: Rate): readonly string[] {
  return n === 0 ? ['–', '', ''] : [percent(rate), `${percent(low)} – ${percent(high)}`, `${k}/${n}`];
}

function clusterTable(title: string, clusters: readonly Cluster[], most: number): string {
  if (clusters.length === 0 || most === 0) return '';
  const shown = clusters.slice(0, most);
  const lines = shown.map(({ source, reason, count, of, samples }) => {
    const cases = samples
      .slice(0, 2)
      .map(({ id, preview }) => `\n    ${visible(id)}  ${visible(preview.replaceAll(/[\n\t]/g, ' '))}`);
    return `  ${count} of ${of}  ${visible(`${source} × ${reason}`)}${cases.join('')}`;
  });
  const rest = clusters.length - shown.length;
  return `${colors.bold(title)}\n${lines.join('\n')}${rest > 0 ? `\n  … and ${rest} smaller clusters` : ''}`;
}

function comparisonText({
  by_case,
  policies,
  counts,
  changes,
  groups,
  only_here,
  only_in_baseline,
}: Comparison): string {
  const head = by_case
    ? `${counts.newly_found} newly found, ${counts.newly_lost} newly lost, ${counts.newly_flagged} newly flagged benign, ` +
      `${counts.newly_clean} newly clean, ${counts.policies} under other policies; ${only_here} only here, ${only_in_baseline} only in the baseline`
    : 'the baseline has no cases beside it: only groups are compared';
  const groupLines = groups.map(({ table: kind, key, found, flagged }) => [
    `  ${kind}`,
    key,
    `attacks ${found[0]} → ${found[1]}`,
    `benign ${flagged[0]} → ${flagged[1]}`,
  ]);
  const caseLines = changes.map(({ kind, id, source, before, after }) => [
    `  ${kind.replaceAll('_', ' ')}`,
    id,
    source,
    `${before.join(',') || '–'} → ${after.join(',') || '–'}`,
  ]);
  const shared = policies ? `by ${policies.join(', ')} alone, which both judged` : '';
  return [colors.bold('Against the baseline'), shared, head, table(groupLines), table(caseLines)]
    .filter((part) => part !== '')
    .join('\n');
}

function titled(title: string, rows: readonly (readonly string[])[]): string {
  return `${colors.bold(title)}\n${table(rows)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
