import type { CostReport, RuleCost } from '../../rules/cost.js';
import type { Cluster } from '../clusters.js';
import type { Comparison } from '../comparison.js';
import type { Group } from '../groups.js';
import type { Rate } from '../interval.js';
import type { EvalResult } from '../result.js';
import { costPlot, type RuleRow } from './cost-plot.js';
import { curvePlot } from './curve-plot.js';
import { type DotRow, dotPlot, scaleFor } from './dot-plot.js';
import { escapeHtml, htmlTable, percent, rateText, section } from './html.js';
import { style } from './style.js';

/** Clusters of each kind that the page shows; `result.json` has them all. */
const clustersShown = 40;

/**
 * The report: one HTML page without scripts that asks nobody for anything, which its own policy makes sure of. Texts in
 * it are the previews of the result.
 */
export function renderReport(result: EvalResult, costs: CostReport): string {
  const title = `Merlon evaluation: profile ${result.profile}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(subtitle(result))}</p>
${tiles(result)}
${result.comparison ? comparisonPart(result.comparison) : ''}
${section('Recall against false positives', 'One panel a policy: every threshold from strict to lax. The mark is the profile’s threshold with 95 % intervals; a curve that turns right under it says that a lower threshold would cost much.', panels(result))}
${section('Recall per source', 'Share of attacks found, with Wilson’s 95 % interval; worst first.', dotPlot(rowsOf(result.sources, 'recall').sort(rising), 'recall'))}
${section('False positives per source', 'Share of benign samples flagged; worst first. Sources without any are left out.', falsePositives(result))}
${rulesPart(result, costs)}
${section('Policies', '', policyTable(result))}
${spansPart(result)}
${section('Misses', 'Attacks that were not found, by source and attack type.', clusterList(result.worst.misses))}
${section('False positives', 'Benign samples that were flagged, by source and the rule that said most.', clusterList(result.worst.false_positives))}
${groupPart('Languages', result.languages)}
${groupPart('Attack types', result.attack_types)}
${groupPart('Roles', result.roles)}
${groupPart('Sources', result.sources)}
${badLines(result)}
</body>
</html>
`;
}

function subtitle({ data, ruleset, revision, seconds }: EvalResult): string {
  const bad = data.bad_lines > 0 ? `, ${data.bad_lines} bad lines` : '';
  const leftOut = data.left_out === undefined ? '' : `, ${data.left_out} attacks of other policies left out`;
  const cut = data.truncated === undefined ? '' : `, ${data.truncated} with more matches than are kept`;
  return `${data.samples} samples of ${data.files.length} files${bad}${leftOut}${cut}; rules ${ruleset.slice(0, 12)}, revision ${revision.slice(0, 12)}; judged in ${seconds.toFixed(1)} s.`;
}

function tiles({ totals, spans }: EvalResult): string {
  const undebated = totals.false_positives_undebated;
  const all = [
    ['attacks found', ...share(totals.recall)],
    totals.macro_recall.sources === 0
      ? ['mean over sources', '–', 'none in the data']
      : [
          'mean over sources',
          percent(totals.macro_recall.rate),
          `${totals.macro_recall.sources} sources with triggers`,
        ],
    ['benign flagged', ...share(totals.false_positives)],
    ...(undebated ? [['without debatable sources', ...share(undebated)]] : []),
    ...(spans
      ? [['exact spans, F1', spans.total.exact.f1.toFixed(3), `overlapping ${spans.total.overlapping.f1.toFixed(3)}`]]
      : []),
  ];
  const tile = ([name, value, more]: readonly string[]) =>
    `<div class="tile">${escapeHtml(name)}<b>${escapeHtml(value)}</b><small>${escapeHtml(more)}</small></div>`;
  return `<div class="tiles">${all.map(tile).join('\n')}</div>`;
}

/** A share and its interval, or a dash where there was nothing to count. */
function share(rate: Rate): readonly [string, string] {
  return rate.n === 0 ? ['–', 'none in the data'] : [percent(rate.rate), rateText(rate)];
}

function panels({ policies }: EvalResult): string {
  const shown = policies.filter(({ recall, false_positives }) => recall.n > 0 || false_positives.k > 0);
  return shown.length === 0 ? '' : `<div class="panels">${shown.map(curvePlot).join('\n')}</div>`;
}

function rowsOf(groups: readonly Group[], measure: 'recall' | 'false_positives'): DotRow[] {
  return groups.flatMap((group) => (group[measure].n > 0 ? [{ key: group.key, rate: group[measure] }] : []));
}

const rising = (a: DotRow, b: DotRow) => a.rate.rate - b.rate.rate || b.rate.n - a.rate.n;

function falsePositives({ sources }: EvalResult): string {
  const rows = rowsOf(sources, 'false_positives')
    .filter(({ rate }) => rate.k > 0)
    .sort((a, b) => rising(b, a));
  return rows.length === 0 ? '' : dotPlot(rows, 'false-positives', scaleFor(rows));
}

function rulesPart({ rules }: EvalResult, costs: CostReport): string {
  const yields = new Map(rules.map((rule) => [rule.id, rule]));
  const rows = costs.rules.flatMap((cost): RuleRow[] => {
    const rule = yields.get(cost.id);
    return rule ? [{ rule, cost }] : [];
  });
  const intro = `Measured on ${costs.messages} of the messages (${Math.round(costs.bytes / 1_024)} KB): ${costs.us_per_kb.toFixed(2)} µs per KB in all, ${percent(costs.rules_share)} of it in rules. Low and to the right: dear and of little use.`;
  const table = htmlTable<RuleRow>(
    [
      { title: 'rule', cell: ({ rule }) => rule.id },
      { title: 'label', cell: ({ rule }) => escapeHtml(rule.label) },
      { title: 'µs/KB', cell: ({ cost }) => cost.us_per_kb.toFixed(3), isNumber: true },
      { title: 'share', cell: ({ cost }) => percent(cost.share), isNumber: true },
      { title: 'regex runs', cell: ({ cost }) => String(cost.runs), isNumber: true },
      { title: 'attacks hit', cell: ({ rule }) => String(rule.recall.k), isNumber: true },
      { title: 'only it', cell: ({ rule }) => String(rule.decisive_attacks), isNumber: true },
      { title: 'benign hit', cell: ({ rule }) => String(rule.false_positives.k), isNumber: true },
      { title: 'only it', cell: ({ rule }) => String(rule.decisive_benign), isNumber: true },
      { title: 'hints', cell: ({ cost }) => escapeHtml(remarksOn(cost)) },
    ],
    rows,
  );
  return section(
    'Cost of each rule against its yield',
    intro,
    `${costPlot(rows)}<details><summary>All ${rows.length} rules, dearest first</summary>${table}</details>`,
  );
}

function remarksOn({ patterns_of, hints }: RuleCost): string {
  return patterns_of === undefined
    ? hints.join('; ')
    : `its cost is told with ${patterns_of}, whose patterns it shares`;
}

function policyTable({ policies }: EvalResult): string {
  return htmlTable(
    [
      { title: 'policy', cell: (row) => row.policy },
      {
        title: 'threshold',
        cell: ({ threshold, mode }) => `${threshold}${mode === 'enforce' ? '' : ` (${mode})`}`,
        isNumber: true,
      },
      { title: 'recall', cell: ({ recall }) => rateText(recall), isNumber: true },
      {
        title: 'mean over sources',
        cell: ({ macro_recall }) =>
          macro_recall.sources === 0 ? '–' : `${percent(macro_recall.rate)} of ${macro_recall.sources}`,
        isNumber: true,
      },
      { title: 'false positives', cell: ({ false_positives }) => rateText(false_positives), isNumber: true },
      { title: 'precision', cell: ({ precision }) => rateText(precision), isNumber: true },
      { title: 'other attacks flagged', cell: ({ elsewhere }) => String(elsewhere), isNumber: true },
    ],
    policies,
  );
}

function spansPart({ spans }: EvalResult): string {
  if (!spans) return '';
  const sources = htmlTable(
    [
      { title: 'source', cell: ({ key }) => escapeHtml(key) },
      { title: 'labelled', cell: ({ labelled }) => String(labelled), isNumber: true },
      { title: 'found', cell: ({ found }) => String(found), isNumber: true },
      { title: 'exact precision', cell: ({ exact }) => percent(exact.precision), isNumber: true },
      { title: 'recall', cell: ({ exact }) => percent(exact.recall), isNumber: true },
      { title: 'F1', cell: ({ exact }) => exact.f1.toFixed(3), isNumber: true },
      { title: 'overlapping precision', cell: ({ overlapping }) => percent(overlapping.precision), isNumber: true },
      { title: 'recall', cell: ({ overlapping }) => percent(overlapping.recall), isNumber: true },
      { title: 'F1', cell: ({ overlapping }) => overlapping.f1.toFixed(3), isNumber: true },
    ],
    [...spans.sources, spans.total],
  );
  const types = htmlTable(
    [
      { title: 'type', cell: ({ type }) => escapeHtml(type) },
      { title: 'labelled', cell: ({ labelled }) => String(labelled), isNumber: true },
      { title: 'exactly found', cell: ({ exact, labelled }) => percent(exact / Math.max(1, labelled)), isNumber: true },
      {
        title: 'touched',
        cell: ({ overlapping, labelled }) => percent(overlapping / Math.max(1, labelled)),
        isNumber: true,
      },
    ],
    spans.types,
  );
  return section(
    'Spans',
    'Findings of LLM02 against labelled values; types without a shape (names, places) count neither way.',
    `${sources}${types}`,
  );
}

function clusterList(clusters: readonly Cluster[]): string {
  const items = clusters.slice(0, clustersShown).map(({ source, reason, count, of, samples }) => {
    const cases = samples.map(({ id, preview, rules }) => {
      const hits = rules.length > 0 ? ` <small>${escapeHtml(rules.join(', '))}</small>` : '';
      return `<li><code>${escapeHtml(id)}</code>${hits}<br><span class="text">${escapeHtml(preview)}</span></li>`;
    });
    return `<details><summary><b>${count}</b> <small>of ${of}</small> ${escapeHtml(source)} × ${escapeHtml(reason)}</summary><ul>${cases.join('\n')}</ul></details>`;
  });
  const more =
    clusters.length > clustersShown
      ? `<p>${clusters.length - clustersShown} smaller clusters are in result.json.</p>`
      : '';
  return items.join('\n') + more;
}

function groupPart(title: string, groups: readonly Group[]): string {
  const table = htmlTable<Group>(
    [
      { title: title.toLowerCase(), cell: ({ key }) => escapeHtml(key) },
      { title: 'recall', cell: ({ recall }) => rateText(recall), isNumber: true },
      { title: 'false positives', cell: ({ false_positives }) => rateText(false_positives), isNumber: true },
    ],
    groups,
  );
  return section(title, '', `<details><summary>${groups.length} groups</summary>${table}</details>`);
}

function comparisonPart(comparison: Comparison): string {
  const { policies, counts, changes, groups, by_case, only_here, only_in_baseline } = comparison;
  const shared = policies ? `By ${policies.join(', ')} alone, which both judged: ` : '';
  const told = by_case
    ? `${counts.newly_found} newly found, ${counts.newly_lost} newly lost, ${counts.newly_flagged} newly flagged benign, ${counts.newly_clean} newly clean; ${counts.policies} under other policies. ${only_here} samples are only here, ${only_in_baseline} only in the baseline.`
    : 'The baseline has no cases beside it, so only groups are compared.';
  const groupRows = htmlTable(
    [
      { title: 'table', cell: ({ table }) => table },
      { title: 'group', cell: ({ key }) => escapeHtml(key) },
      { title: 'attacks found', cell: ({ found }) => `${found[0]} → ${found[1]}`, isNumber: true },
      { title: 'benign flagged', cell: ({ flagged }) => `${flagged[0]} → ${flagged[1]}`, isNumber: true },
    ],
    groups,
  );
  const caseRows = htmlTable(
    [
      { title: 'change', cell: ({ kind }) => kind.replaceAll('_', ' ') },
      { title: 'id', cell: ({ id }) => `<code>${escapeHtml(id)}</code>` },
      { title: 'source', cell: ({ source }) => escapeHtml(source) },
      { title: 'before', cell: ({ before }) => before.join(', ') || '–' },
      { title: 'after', cell: ({ after }) => after.join(', ') || '–' },
    ],
    changes,
  );
  const parts = [
    groups.length > 0
      ? `<details open><summary>${groups.length} groups changed</summary>${groupRows}</details>`
      : '<p>No group changed.</p>',
    changes.length > 0
      ? `<details><summary>${changes.length} of the cases that changed</summary>${caseRows}</details>`
      : '',
  ];
  return section('Against the baseline', shared + told, parts.join('\n'));
}

function badLines({ data }: EvalResult): string {
  if (data.bad_lines === 0) return '';
  const lines = data.errors.map(
    ({ file, line, error }) => `<li><code>${escapeHtml(`${file}:${line}`)}</code> ${escapeHtml(error)}</li>`,
  );
  return section('Lines that could not be judged', `${data.bad_lines} in all.`, `<ul>${lines.join('\n')}</ul>`);
}
