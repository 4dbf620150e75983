/** The numbers that the project aims at; one whose case was not measured is left out. */
export function ratiosOf(rows) {
  const find = (name) => rows.find((row) => row.case === name);
  const full = find('full, 500 B, 32 connections');
  const committed = find('full, committed, 500 B, 256 connections');
  const mcp = find('full (500 B MCP), 500 B, 32 connections');
  const beside = find('small beside 20 × 1 MB/s');
  const inline = find('small beside 20 × 1 MB/s, inline only');
  const ratios = {
    fullVsBareCpu: ratio(full?.bare.cpuUs, full?.cpuUs),
    fullVsBareRps: ratio(full?.rps, full?.bare.rps),
    committedVsBareCpu: ratio(committed?.bare.cpuUs, committed?.cpuUs),
    committedVsBareRps: ratio(committed?.rps, committed?.bare.rps),
    smallP99BesideLargeVsInline: ratio(beside?.p99ms, inline?.p99ms),
    // Each against the bare echo around it: the machine may have changed between the two.
    mcpVsRestRps: ratio(ratio(mcp?.rps, mcp?.bare.rps), ratio(full?.rps, full?.bare.rps)),
  };
  return Object.fromEntries(Object.entries(ratios).filter(([, value]) => value !== undefined));
}

function ratio(one, other) {
  return one !== undefined && other ? Number((one / other).toPrecision(3)) : undefined;
}

/** Rows as the record holds them. */
export function resultsOf(rows) {
  return rows.map(({ case: name, rps, p50ms, p99ms, p999ms, cpuUs }) => ({
    case: name,
    rps: Math.round(rps),
    p50ms: significant(p50ms),
    p99ms: significant(p99ms),
    p999ms: significant(p999ms),
    cpuUs: significant(cpuUs),
  }));
}

function significant(value) {
  return Number(value.toPrecision(3));
}

/** The tables for people. */
export function formatReport({ rows, absent, ratios }) {
  const lines = [];
  for (const group of new Set(rows.map((row) => row.group))) {
    lines.push(formatRow(group, 'per second', '% of bare', 'p50 ms', 'p99 ms', 'p99.9 ms', 'CPU µs', '% of bare'));
    for (const row of rows.filter((each) => each.group === group)) {
      const { rps, p50ms, p99ms, p999ms, cpuUs, bare, note = '' } = row;
      const times = [p50ms, p99ms, p999ms].map((ms) => significant(ms));
      const rate = bare?.rps ? (rps / bare.rps) * 100 : undefined;
      const cpu = bare?.cpuUs && cpuUs ? (bare.cpuUs / cpuUs) * 100 : undefined;
      const cells = [Math.round(rps), rate?.toFixed(0) ?? '', ...times, cpuUs.toFixed(1), cpu?.toFixed(0) ?? ''];
      lines.push(`${formatRow(`  ${row.subject}`, ...cells)}${note && `   ${note}`}`);
    }
    lines.push('');
  }
  if (absent.length > 0) lines.push(...absent, '');
  lines.push(...Object.entries(ratios).map(([name, value]) => `${name.padEnd(30)}${value}`));
  return `${lines.join('\n')}\n`;
}

function formatRow(name, ...cells) {
  return name.padEnd(42) + cells.map((cell) => String(cell).padStart(11)).join('');
}
