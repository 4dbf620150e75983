import { ahoCorasickNames } from './npm-rivals.mjs';

/** Rows whose engine claims a count that it did not reach. */
export function wrongRows(rows) {
  return rows.filter(({ matches, expected }) => expected !== undefined && matches !== expected);
}

/** The numbers that the project aims at; one whose rival is absent is left out. */
export function ratiosOf({ rows, phraseResults, threadRows, hostile, data, linear }) {
  const speed = (engine, corpus = 'benign-16k') =>
    rows.find((row) => row.engine === engine && row.corpus === corpus)?.mbps;
  const threads = (corpus, engine) =>
    threadRows.find((row) => row.engine === engine && row.corpus.startsWith(corpus))?.mbps;
  const ratio = (ours, theirs) => (ours && theirs ? Number((ours / theirs).toPrecision(3)) : undefined);
  const npm = ahoCorasickNames.map((name) => speed(name)).filter((value) => value !== undefined);
  const ours = rows.filter(({ engine }) => engine === 'merlon').map(({ mbps }) => mbps);
  const largest = phraseResults[phraseResults.length - 1];
  const ratios = {
    literalsVsNaive: ratio(speed('merlon'), speed('regexp-loop')),
    literalsVsBestNpm: ratio(speed('merlon'), npm.length > 0 ? Math.max(...npm) : undefined),
    literalsVsVectorscan: ratio(speed('merlon'), speed('vectorscan')),
    fullVsNaive: ratio(speed('merlon-full'), speed('regexp-loop-full')),
    fullVsVectorscanSom: ratio(speed('merlon-full'), speed('vectorscan-som')),
    fullP50us500B: rows.find(({ engine, corpus }) => engine === 'merlon-full' && corpus === 'benign-500')?.p50us,
    slowestCorpusVsBenign: ratio(Math.min(...ours), speed('merlon')),
    build100kMs: largest?.buildMs,
    memory100kMB: largest?.tableMB,
    twoWorkersVsOne: ratio(threads('independent', 'two workers'), threads('independent', 'one worker')),
    worstHostileVsBenign: Number(Math.max(...hostile.map(({ ofBenign }) => ofBenign)).toPrecision(3)),
    worstDataVsBenign: Number(Math.max(...data.map(({ ofBenign }) => ofBenign)).toPrecision(3)),
    full16MBVs1KB: ratio(...[16 * 1_048_576, 1_024].map((size) => linearSpeed(linear, size))),
    sharded1MBVsOneWorker: ratio(
      threads('one text of 1024 KB', 'sharded over two'),
      threads('one text of 1024 KB', 'one worker'),
    ),
  };
  return Object.fromEntries(Object.entries(ratios).filter(([, value]) => value !== undefined));
}

function linearSpeed(linear, size) {
  return linear.find(({ bytes, engine }) => bytes === size && engine === 'merlon-full')?.mbps;
}

/** The tables for people. */
export function formatReport(measured) {
  const { rows, phraseResults, sizeRows, threadRows, hostile, data, linear, firstTime, parts, absent, ratios } =
    measured;
  const lines = [];
  for (const corpus of new Set(rows.map((row) => row.corpus))) {
    const own = rows.filter((row) => row.corpus === corpus);
    const first = own.find(({ engine }) => engine.startsWith('merlon'))?.mbps ?? own[0].mbps;
    lines.push(`${corpus}`, formatRow('engine', 'MB/s', 'merlon is', 'p50 µs', 'p99 µs', 'matches', 'expected'));
    for (const row of own) lines.push(formatMeasured(row, engineFirst(own, row, first)));
    lines.push('');
  }
  lines.push('phrases       build ms   table MB       MB/s');
  for (const { phrases, buildMs, tableMB, row } of phraseResults) {
    lines.push([phrases, buildMs, tableMB, row.mbps].map((value) => String(value).padStart(9)).join('  '));
  }
  lines.push('', formatRow('text size', 'MB/s', '', 'p50 µs', 'p99 µs', 'matches', 'expected'));
  for (const row of sizeRows) lines.push(formatMeasured({ ...row, engine: `${row.corpus}, ${row.engine}` }, ''));
  lines.push('', formatRow('threads', 'MB/s', '', '', '', 'matches', 'expected'));
  for (const row of threadRows) lines.push(formatMeasured({ ...row, engine: `${row.corpus}, ${row.engine}` }, ''));
  for (const [title, besides] of [
    ['hostile texts', hostile],
    ['data', data],
  ]) {
    lines.push('', `${`${title}, 64 KB`.padEnd(36)}    ns a unit   of benign`);
    for (const { text, nsPerUnit, ofBenign } of [...besides].sort((a, b) => b.ofBenign - a.ofBenign)) {
      lines.push(`${text.padEnd(36)}${nsPerUnit.toFixed(1).padStart(13)}${ofBenign.toFixed(2).padStart(12)}`);
    }
  }
  lines.push('', 'one text of        engine              MB/s');
  for (const { bytes, engine, mbps } of linear) {
    lines.push(`${`${bytes / 1_024} KB`.padEnd(19)}${engine.padEnd(14)}${String(mbps).padStart(10)}`);
  }
  lines.push('', formatRow(`${firstTime.messages} messages of ${firstTime.bytes} B`, 'p50 µs', 'p99 µs', 'mean µs'));
  for (const [name, { p50us, p99us, meanUs }] of [
    ['met for the first time', firstTime.first],
    ['met again', firstTime.again],
  ]) {
    lines.push(formatRow(name, p50us, p99us, meanUs));
  }
  for (const { corpus, rows: own } of parts) {
    lines.push('', formatRow(`parts of a full scan, ${corpus}`, 'of texts', 'p50 µs', 'mean µs'));
    for (const { part, share, p50us, meanUs } of own) {
      lines.push(formatRow(part, `${(100 * share).toFixed(1)} %`, p50us.toFixed(2), meanUs.toFixed(2)));
    }
  }
  if (absent.length > 0) lines.push('', ...absent);
  lines.push('', ...Object.entries(ratios).map(([name, value]) => `${name.padEnd(24)}${value}`));
  return `${lines.join('\n')}\n`;
}

/** How many times Merlon's speed is of a rival's: the full scan beside full scans, the literal search beside the rest. */
function engineFirst(own, row, fallback) {
  const isFull = /-full$|-som$/.test(row.engine);
  const ours = own.find(({ engine }) => engine === (isFull ? 'merlon-full' : 'merlon'))?.mbps ?? fallback;
  return row.engine === 'merlon' || row.engine === 'merlon-full' ? '' : `×${Number((ours / row.mbps).toPrecision(3))}`;
}

function formatMeasured({ engine, mbps, p50us, p99us, matches, expected }, times) {
  const verdict = expected === undefined ? 'its own' : expected === matches ? expected : `${expected} WRONG`;
  return formatRow(engine, mbps, times, p50us ?? '', p99us ?? '', matches, verdict);
}

function formatRow(engine, ...columns) {
  return engine.padEnd(44) + columns.map((column) => String(column).padStart(11)).join('');
}
