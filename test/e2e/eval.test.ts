import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseChange } from '../../src/eval/comparison.js';
import { rateOf } from '../../src/eval/interval.js';
import type { CaseLine, EvalResult } from '../../src/eval/result.js';
import type { CostReport } from '../../src/rules/cost.js';
import { cliFile, merlon, movedClock, preloading, temporaryFolder } from './service.js';

let folder: string;
const file = (...names: string[]) => join(folder, ...names);

interface Rule {
  readonly id: string;
  readonly score: number;
  readonly pattern?: string;
  /** Instead of a pattern. */
  readonly patternsOf?: string;
}
const phrase = (id: string, score: number, text: string): Rule => ({ id, score, pattern: `phrase: "${text}"` });

/** A rules folder with these rules and a default profile that convicts from 0.5 on. */
function writeRules(name: string, rules: readonly Rule[]): string {
  for (const policy of ['LLM01', 'LLM02']) {
    const own = rules.filter(({ id }) => id.startsWith(policy));
    mkdirSync(file(name, `${policy}-x`), { recursive: true });
    const entries = own.map(
      ({ id, score, pattern, patternsOf }) =>
        `  - { id: ${id}, label: a-label, title: t, severity: high, score: ${score}, why: w, misses: m,\n` +
        `      ${patternsOf ? `patterns_of: ${patternsOf}` : `patterns: [{ ${pattern} }]`},\n` +
        '      references: [https://example.org/], examples: { match: [a, b], clean: [c, d], near: [e] } }\n',
    );
    writeFileSync(file(name, `${policy}-x`, 'a.yaml'), `policy: ${policy}\nrules:\n${entries.join('')}`);
  }
  mkdirSync(file(name, 'profiles'), { recursive: true });
  const setting = '{ mode: enforce, threshold: 0.5 }';
  writeFileSync(
    file(name, 'profiles', 'default.yaml'),
    `id: default\ntitle: t\npolicies: { LLM01: ${setting}, LLM02: ${setting} }\n`,
  );
  return file(name);
}

const attack = (id: string, policy: string, source: string, text: string, more = {}) => ({
  id,
  label: 'attack',
  policies: [policy],
  source,
  text,
  attack_type: 'kind',
  lang: 'en',
  ...more,
});
const benign = (id: string, source: string, text: string, more = {}) => ({
  id,
  label: 'benign',
  source,
  text,
  ...more,
});
const lines = [
  attack('a1', 'LLM01', 's1', 'a zebra'),
  attack('a2', 'LLM01', 's1', 'nothing here'),
  attack('a3', 'LLM01', 's2', 'zebra stripes', { lang: 'de' }),
  attack('a4', 'LLM02', 's2', 'tel 1234 now', { spans: [{ start: 4, end: 8, type: 'PHONE' }] }),
  attack('a5', 'LLM02', 's2', 'quokka'),
  attack('a6', 'LLM01', 's3', 'please', { notes: 'no trigger' }),
  benign('b1', 's1', 'zebra crossing'),
  benign('b2', 's1', 'hello'),
  benign('b3', 's2', 'hello', { role: 'tool' }),
  benign('b4', 's2', 'quokka'),
];
const striped = phrase('LLM01-0002', 0.7, 'zebra stripes');
const telephone = { id: 'LLM02-0001', score: 0.7, pattern: "regex: '\\btel (?<hit>[0-9]{4})\\b'" };
const hint = phrase('LLM02-0002', 0.3, 'quokka');

let before: Readonly<Record<string, string>>;
let after: Readonly<Record<string, string>>;
beforeAll(() => {
  folder = temporaryFolder();
  before = { MERLON_RULES: writeRules('before', [phrase('LLM01-0001', 0.7, 'zebra'), striped, telephone, hint]) };
  after = {
    MERLON_RULES: writeRules('after', [phrase('LLM01-0001', 0.7, '(nothing here|hello)'), striped, telephone, hint]),
  };
  mkdirSync(file('data', 'more'), { recursive: true });
  const [first, ...rest] = lines.map((line) => JSON.stringify(line));
  writeFileSync(file('data', 'one.jsonl'), `${first}\n\n`);
  writeFileSync(file('data', 'more', 'two.JSONL'), `${rest.join('\n')}\n`);
  const longText = benign('l1', 's1', 'long '.repeat(13 * 1_024));
  writeFileSync(file('long-texts.jsonl'), `${JSON.stringify(longText)}\n`.repeat(15));
  writeFileSync(file('bad.jsonl'), `{"id":"x"\n${first}\n{"id":"y","text":"z"}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const readLines = <T>(path: string): readonly T[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

describe('merlon eval', () => {
  it('measures what a person reckons by hand', async () => {
    const { code, stdout } = await merlon(['eval', '--data', file('data'), '--json', '--debatable', 's1'], {
      env: before,
    });
    expect(code).toBe(0);
    const result = JSON.parse(stdout) as EvalResult;
    expect(result.data).toMatchObject({ samples: 10, bad_lines: 0 });
    expect(result.totals).toEqual({
      recall: rateOf(3, 6),
      macro_recall: { rate: (1 / 2 + 2 / 3) / 2, sources: 2 },
      false_positives: rateOf(1, 4),
      precision: rateOf(3, 4),
      false_positives_undebated: rateOf(0, 2),
    });
    const [llm01, llm02] = result.policies;
    expect(llm01).toMatchObject({
      recall: rateOf(2, 4),
      macro_recall: { rate: 0.75, sources: 2 },
      false_positives: rateOf(1, 4),
      precision: rateOf(2, 3),
      curve: [
        { threshold: 0.91, found: 1, flagged: 0 },
        { threshold: 0.7, found: 2, flagged: 1 },
      ],
    });
    expect(llm02).toMatchObject({
      recall: rateOf(1, 2),
      false_positives: rateOf(0, 4),
      curve: [
        { threshold: 0.7, found: 1, flagged: 0 },
        { threshold: 0.3, found: 2, flagged: 1 },
      ],
    });
    const groups = (list: EvalResult['sources']) =>
      list.map(({ key, recall, false_positives }) => [key, recall.k, recall.n, false_positives.k, false_positives.n]);
    expect(groups(result.sources)).toEqual([
      ['s1', 1, 2, 1, 2],
      ['s2', 2, 3, 0, 2],
      ['s3 (no trigger)', 0, 1, 0, 0],
    ]);
    expect(groups(result.languages)).toEqual([
      ['-', 0, 0, 1, 4],
      ['de', 1, 1, 0, 0],
      ['en', 2, 5, 0, 0],
    ]);
    expect(groups(result.roles)).toEqual([
      ['tool', 0, 0, 0, 1],
      ['user', 3, 6, 1, 3],
    ]);
    expect(groups(result.attack_types)).toEqual([
      ['(benign)', 0, 0, 1, 4],
      ['kind', 3, 6, 0, 0],
    ]);
    // Rule 1 hits a1, a3 and b1; a3 is also found by rule 2, so only a1 and b1 hang on it.
    expect(
      result.rules.map((rule) => [
        rule.id,
        rule.recall.k,
        rule.false_positives.k,
        rule.decisive_attacks,
        rule.decisive_benign,
      ]),
    ).toEqual([
      ['LLM01-0001', 2, 1, 1, 1],
      ['LLM01-0002', 1, 0, 0, 0],
      ['LLM02-0001', 1, 0, 1, 0],
      ['LLM02-0002', 1, 1, 0, 0],
    ]);
    expect(result.spans?.total).toMatchObject({ labelled: 1, found: 1, exact: { f1: 1 } });
    expect(result.worst.misses.map(({ source, count, of }) => [source, count, of])).toEqual([
      ['s1', 1, 2],
      ['s2', 1, 3],
      ['s3 (no trigger)', 1, 1],
    ]);
    expect(result.worst.false_positives).toMatchObject([
      { source: 's1', reason: 'LLM01-0001', count: 1, of: 2, samples: [{ id: 'b1', preview: 'zebra crossing' }] },
    ]);
  });

  it('leaves out attacks of policies that are not to be judged', async () => {
    const args = ['eval', '--data', file('data'), '--policies', 'LLM01', '--out', file('narrow')];
    const { code, stdout } = await merlon(args, { env: before });
    expect(code).toBe(0);
    expect(stdout).toContain('8 samples, profile default, 2 attacks of other policies left out');
    const result = JSON.parse(readFileSync(file('narrow', 'result.json'), 'utf8')) as EvalResult;
    expect(result.data).toMatchObject({ samples: 8, left_out: 2 });
    expect(result.totals).toMatchObject({ recall: rateOf(2, 4), false_positives: rateOf(1, 4) });
    expect(result.policies.map(({ policy }) => policy)).toEqual(['LLM01']);
    expect(result.rules.map(({ id }) => id)).toEqual(['LLM01-0001', 'LLM01-0002']);
    expect(stdout).not.toContain('LLM02  ');
    expect(readFileSync(file('narrow', 'report.html'), 'utf8')).not.toContain('LLM02<');
    expect(readLines<CaseLine>(file('narrow', 'cases.jsonl'))).toHaveLength(8);
    const again = [...args.slice(0, 5), '--baseline', file('narrow', 'result.json'), '--fail-on-regression'];
    expect((await merlon(again, { env: before })).stdout).toContain('0 only here, 0 only in the baseline');
  });

  it('compares two runs, case by case, and fails where asked to', async () => {
    const first = await merlon(['eval', '--data', file('data'), '--out', file('run')], { env: before });
    expect(first.code).toBe(0);
    const cases = readLines<CaseLine>(file('run', 'cases.jsonl'));
    expect(
      cases
        .map(({ outcome }) => outcome)
        .sort()
        .join(),
    ).toBe('clean,clean,clean,flagged,found,found,found,missed,missed,missed');
    const args = ['eval', '--data', file('data'), '--baseline', file('run', 'result.json')];
    const same = await merlon([...args, '--fail-on-regression'], { env: before });
    expect(same.code).toBe(0);
    expect(same.stdout).toContain('0 newly lost');
    const worse = await merlon([...args, '--out', file('run2'), '--json', '--fail-on-regression'], { env: after });
    expect(worse.code).toBe(1);
    const written = ['result.json', 'cases.jsonl', 'report.html', 'changes.jsonl'].map((name) => file('run2', name));
    expect(worse.stderr).toContain(`written: ${written.join(', ')}\n`);
    const { comparison } = JSON.parse(worse.stdout) as EvalResult;
    expect(comparison?.counts).toEqual({
      newly_found: 1,
      newly_lost: 1,
      newly_flagged: 2,
      newly_clean: 1,
      policies: 0,
    });
    const changes = readLines<CaseChange>(file('run2', 'changes.jsonl'));
    expect(changes.map(({ kind, id }) => `${id} ${kind}`).sort()).toEqual([
      'a1 newly_lost',
      'a2 newly_found',
      'b1 newly_clean',
      'b2 newly_flagged',
      'b3 newly_flagged',
    ]);
    expect(comparison?.groups).toContainEqual({ table: 'policy', key: 'LLM01', found: [2, 2], flagged: [1, 2] });
    const unasked = await merlon(args, { env: after });
    expect(unasked.code).toBe(0);
    // Without a baseline there are no changes, and those of the run before speak of other files.
    expect((await merlon(['eval', '--data', file('data'), '--out', file('run2')], { env: after })).code).toBe(0);
    expect(readdirSync(file('run2')).sort()).toEqual(['cases.jsonl', 'report.html', 'result.json']);
    expect(unasked.stdout).toMatch(/newly lost +a1 +s1/);
  });

  it('compares by the policies that both runs judged, and says whose profile is another one', async () => {
    const whole = ['eval', '--data', file('data'), '--out', file('whole')];
    expect((await merlon(whole, { env: before })).code).toBe(0);
    const gate = ['eval', '--data', file('data'), '--baseline', file('whole', 'result.json'), '--fail-on-regression'];
    // a4 of LLM02 alone is left out; to the run of LLM02 b1, which LLM01 flags, is clean in both.
    const narrow = await merlon([...gate, '--policies', 'LLM02', '--out', file('part')], { env: before });
    expect(narrow.stdout).toContain('by LLM02 alone, which both judged\n0 newly found, 0 newly lost, 0 newly flagged');
    expect(narrow.stdout).toContain('0 newly clean, 0 under other policies; 0 only here, 4 only in the baseline');
    expect(narrow.code).toBe(0);
    expect(readFileSync(file('part', 'report.html'), 'utf8')).toContain('By LLM02 alone, which both judged: ');
    const { comparison } = JSON.parse(readFileSync(file('part', 'result.json'), 'utf8')) as EvalResult;
    expect(comparison).toMatchObject({ policies: ['LLM02'], groups: [] });
    const wider = [...gate.slice(0, 4), file('part', 'result.json'), '--fail-on-regression'];
    const { code, stdout } = await merlon(wider, { env: before });
    expect([code, stdout]).toEqual([0, expect.stringContaining('0 newly lost, 0 newly flagged benign')]);
    const apart = await merlon([...wider, '--policies', 'LLM01'], { env: before });
    expect([apart.code, apart.stderr]).toEqual([
      2,
      `--baseline: ${file('part', 'result.json')} judged none of the policies of this run\n`,
    ]);
    const profiles = join(before.MERLON_RULES, 'profiles');
    const watching = readFileSync(join(profiles, 'default.yaml'), 'utf8').replace('id: default', 'id: other');
    writeFileSync(join(profiles, 'other.yaml'), watching);
    const other = await merlon([...gate, '--profile', 'other'], { env: before });
    expect([other.code, other.stderr]).toEqual([0, '--baseline: its profile is default, and that of this run other\n']);
  });

  it('refuses a baseline of other data, and counts the cases that the data has no longer', async () => {
    const all = lines.map((line) => JSON.stringify(line));
    writeFileSync(file('less.jsonl'), all.slice(0, 7).join('\n'));
    writeFileSync(file('other.jsonl'), all.join('\n').replaceAll('"source":"s', '"source":"z'));
    expect((await merlon(['eval', '--data', file('data'), '--out', file('all')], { env: before })).code).toBe(0);
    const gate = ['--baseline', file('all', 'result.json'), '--fail-on-regression', '--out', file('unwritten')];
    const none = await merlon(['eval', '--data', file('other.jsonl'), ...gate], { env: before });
    expect(none).toEqual({
      code: 2,
      stdout: '',
      stderr: '--baseline: none of its 10 cases is among the samples\n',
    });
    expect(readdirSync(file('unwritten'))).toEqual([]);
    const less = await merlon(['eval', '--data', file('less.jsonl'), ...gate.slice(0, 3)], { env: before });
    expect([less.code, less.stderr]).toEqual([0, '--baseline: 3 of its 10 cases are not among the samples\n']);
  });

  it('leaves what a former run wrote where it fails, and refuses a baseline whose cases are not whole', async () => {
    const run = ['eval', '--data', file('data'), '--out', file('kept')];
    expect((await merlon(run, { env: before })).code).toBe(0);
    const cases = readFileSync(file('kept', 'cases.jsonl'), 'utf8');
    const nothing = await merlon(['eval', '--data', '-', '--out', file('kept')], { env: before, input: '' });
    expect(nothing.code).toBe(2);
    expect(readFileSync(file('kept', 'cases.jsonl'), 'utf8')).toBe(cases);
    expect(readdirSync(file('kept')).sort()).toEqual(['cases.jsonl', 'report.html', 'result.json']);

    writeFileSync(file('kept', 'cases.jsonl'), '');
    const gate = ['eval', '--data', file('data'), '--baseline', file('kept', 'result.json'), '--fail-on-regression'];
    const { code, stderr } = await merlon(gate, { env: after });
    expect(code).toBe(2);
    expect(stderr).toMatch(/--baseline: .*cases\.jsonl has 0 cases, and .*result\.json counts 10 samples/);

    rmSync(file('kept', 'result.json'));
    mkdirSync(file('kept', 'result.json'));
    const folderThere = await merlon(run, { env: before });
    expect([folderThere.code, folderThere.stderr]).toEqual([2, `--out: ${file('kept', 'result.json')} is a folder\n`]);
  });

  it('leaves nothing behind where it is interrupted', async () => {
    const child = spawn(process.execPath, [cliFile, 'eval', '--data', '-', '--out', file('ended')], {
      env: { ...process.env, ...before },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // Standard input stays open: it waits for more.
    child.stdin.write(`${JSON.stringify(lines[0])}\n`);
    await expect.poll(() => existsSync(file('ended', `report.html.${child.pid}.partial`))).toBe(true);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(readdirSync(file('ended'))).toEqual([]);
  });

  it('heeds an interrupt while it measures what rules cost', async () => {
    // It interrupts itself when it first looks at the processor's clock, as the measurement alone does, before and after each piece.
    const preload = `
      import { isMainThread } from 'node:worker_threads';
      const { cpuUsage } = process;
      let looks = 0;
      process.cpuUsage = (began) => {
        if (looks++ === 0) process.kill(process.pid, 'SIGINT');
        return cpuUsage(began);
      };
      if (isMainThread) process.on('exit', () => process.stderr.write('looks: ' + looks));`;
    const run = ['eval', '--data', file('long-texts.jsonl'), '--out', file('ended-late')];
    const { code, stderr } = await merlon(run, { env: { ...before, ...preloading(preload) } });
    expect(code).toBe(130);
    expect(Number(/looks: (\d+)/.exec(stderr)?.[1])).toBeLessThan(10);
    expect(readdirSync(file('ended-late'))).toEqual([]);
  });

  it.each([
    ['eval', () => ['eval', '--data', file('long-texts.jsonl'), '--out', file('shown')], 'measuring the rules'],
    ['rules profile', () => ['rules', 'profile', '--data', file('long-texts.jsonl')], 'measuring'],
  ])('%s shows how far the measurement is', async (_, args, label) => {
    const { code, stderr } = await merlon(args(), { env: { ...before, ...preloading(movedClock) } });
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`${label} [^a-z]*\\b9\\d%`));
  });

  it('says which sources and types of spans there are none of', async () => {
    const run = ['eval', '--data', file('data')];
    const unknown = await merlon([...run, '--debatable', 's2,s9', '--span-types', 'PHONE,FON'], { env: before });
    expect(unknown.code).toBe(0);
    expect(unknown.stderr.trim().split('\n')).toEqual([
      '--debatable: no sample that was judged is of s9',
      '--span-types: no labelled span that was judged is of FON',
    ]);
    expect((await merlon([...run, '--debatable', 's1'], { env: before })).stderr).toBe('');
  });

  it('says which types of labelled spans were not counted, unless others were asked for', async () => {
    const typed = (types: readonly string[]) =>
      types.map((type) => JSON.stringify({ ...lines[3], spans: [{ start: 4, end: 8, type }] })).join('\n');
    const run = (types: readonly string[], ...more: string[]) =>
      merlon(['eval', '--data', '-', ...more], { env: before, input: typed(types) });
    const { code, stderr } = await run(['PHONE', 'PERSON', 'CITY', 'PERSON']);
    expect([code, stderr]).toEqual([
      0,
      '--span-types: labelled spans of CITY, PERSON were not counted, because nobody named them\n',
    ]);
    expect((await run(['PHONE', 'PERSON'], '--span-types', 'PERSON')).stderr).toBe('');
    const many = Array.from({ length: 23 }, (_, i) => `T${i + 10}`);
    expect((await run(many)).stderr).toMatch(/of T10, .*, T29 and 3 more types were not counted/);
  });

  it('says how many messages had more matches than are kept', async () => {
    const full = attack('full', 'LLM02', 's', 'tel 1234 '.repeat(1_001));
    writeFileSync(file('full.jsonl'), [full, lines[0], lines[3]].map((line) => JSON.stringify(line)).join('\n'));
    const run = ['eval', '--data', file('full.jsonl')];
    const told = '\n(1 with more matches than are kept; what stands behind those counts as missed)\n';
    expect((await merlon([...run, '--out', file('full')], { env: before })).stdout).toContain(told);
    expect(readFileSync(file('full', 'report.html'), 'utf8')).toContain('1 with more matches than are kept');
    const { data } = JSON.parse((await merlon([...run, '--json'], { env: before })).stdout) as EvalResult;
    expect(data).toMatchObject({ samples: 3, truncated: 1 });
  });

  it('has dashes where there was nothing to count', async () => {
    writeFileSync(file('peace.jsonl'), `${JSON.stringify(benign('p1', 's', 'Good morning.'))}\n`);
    const args = ['eval', '--data', file('peace.jsonl'), '--out', file('peace')];
    expect((await merlon(args, { env: before })).stdout).toMatch(/attacks found +– *\n *mean over sources +– *\n/);
    const html = readFileSync(file('peace', 'report.html'), 'utf8');
    expect(html.match(/class="tile">[^<]*<b>[^<]*<\/b>/g)?.slice(0, 3)).toEqual([
      'class="tile">attacks found<b>–</b>',
      'class="tile">mean over sources<b>–</b>',
      'class="tile">benign flagged<b>0.0 %</b>',
    ]);
  });

  it('writes a report that asks nobody for anything', async () => {
    const text = 'zebra <script>alert(1)</script> & "quotes"\u202e';
    writeFileSync(
      file('evil.jsonl'),
      `${JSON.stringify(benign('<b>id', '<i>s', text))}\n${JSON.stringify(lines[0])}\n`,
    );
    await merlon(['eval', '--data', file('evil.jsonl'), '--out', file('report'), '--show-text'], { env: before });
    const html = readFileSync(file('report', 'report.html'), 'utf8');
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|<i>s|<b>id|\bsrc=|\bhref=|@import|url\(|\u202e/);
    expect(html).toContain('zebra &#60;script&#62;alert(1)&#60;/script&#62;');
    expect(html).not.toMatch(/NaN|undefined|Infinity/);
    for (const part of ['Recall against false positives', 'Recall per source', 'Cost of each rule', 'False positives'])
      expect(html).toContain(part);
    // Every element that is opened is closed, in order.
    const open: string[] = [];
    for (const [, slash, tag, , alone] of html.matchAll(/<(\/?)([a-z]\w*)((?:[^<>"]|"[^"]*")*?)(\/?)>/g)) {
      if (alone === '/' || ['meta', 'br'].includes(tag)) continue;
      if (slash === '') open.push(tag);
      else expect(open.pop()).toBe(tag);
    }
    expect(open).toEqual([]);
  });

  it('names bad lines, judges the others and exits 1', async () => {
    const { code, stdout, stderr } = await merlon(['eval', '--data', file('bad.jsonl'), '--json'], { env: before });
    expect(code).toBe(1);
    expect(stderr).toContain(`${file('bad.jsonl')}:1 not valid JSON`);
    expect(stderr).toContain(`${file('bad.jsonl')}:3 "label" is missing`);
    expect(JSON.parse(stdout)).toMatchObject({
      data: { samples: 1, bad_lines: 2 },
      totals: { recall: { k: 1, n: 1 } },
    });
  });

  it('passes over blank lines, however long', async () => {
    const input = `${' '.repeat(40)}\r\n${JSON.stringify(lines[0])}\n${'\t'.repeat(16)}\n`;
    const { code, stdout, stderr } = await merlon(['eval', '--data', '-', '--json'], { env: before, input });
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ data: { samples: 1, bad_lines: 0 } });
  });

  it('names a hundred bad lines and counts the others', async () => {
    writeFileSync(file('worse.jsonl'), `${JSON.stringify(lines[0])}\n${'{"id":"x"}\n'.repeat(130)}`);
    const { code, stdout, stderr } = await merlon(['eval', '--data', file('worse.jsonl'), '--json'], { env: before });
    expect(code).toBe(1);
    expect(stderr.split('\n').filter((line) => line.includes('worse.jsonl:'))).toHaveLength(100);
    expect(stderr).toContain('130 lines could not be judged, 30 of them are not named here');
    const { data } = JSON.parse(stdout) as { data: { bad_lines: number; errors: unknown[] } };
    expect([data.bad_lines, data.errors.length]).toEqual([130, 100]);
    const noneGood = await merlon(['eval', '--data', '-'], { env: before, input: '{"id":"x"}\n'.repeat(130) });
    expect(noneGood.code).toBe(2);
    expect(noneGood.stderr).toContain('130 lines could not be judged, 30 of them are not named here');
  });

  it('names what --data holds and cannot be read, also by a name that is no UTF-8', async () => {
    mkdirSync(file('odd'));
    writeFileSync(Buffer.concat([Buffer.from(file('odd', 'b')), Buffer.from([0xff]), Buffer.from('.jsonl')]), '{}');
    const odd = await merlon(['eval', '--data', file('odd')], { env: before });
    const none = await merlon(['eval', '--data', file('none.jsonl')], { env: before });
    expect([odd.code, odd.stderr]).toEqual([2, `--data: ${file('odd', 'b\ufffd.jsonl')} cannot be read (ENOENT)\n`]);
    expect([none.code, none.stderr]).toEqual([2, `--data: ${file('none.jsonl')} cannot be read (ENOENT)\n`]);
  });

  it('prints the tables that are asked for, without colours into a pipe', async () => {
    const { stdout } = await merlon(['eval', '--data', '-', '--by', 'rule,lang', '--worst', '0'], {
      env: before,
      input: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
    expect(stdout).toMatch(/LLM01-0001 +0\.7 +2 +1 +1 +1 +0 +66\.67 %/);
    expect(stdout).toMatch(/^de +100\.00 %/m);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('Misses');
  });

  it.each([
    [['eval'], /--data/],
    [['eval', '--data', '/nonexistent'], /--data/],
    [['eval', '--data', 'DATA', '--by', 'nope'], /--by/],
    [['eval', '--data', 'DATA', '--worst', 'x'], /--worst/],
    [['eval', '--data', 'DATA', '--fail-on-regression'], /--baseline/],
    [['eval', '--data', 'DATA', '--baseline', '/nonexistent'], /--baseline/],
    [['eval', '--data', 'DATA', '--baseline', 'DATA/one.jsonl'], /--baseline/],
    [['eval', '--data', 'DATA', '--out', 'DATA/one.jsonl'], /--out/],
    [
      ['eval', '--data', 'DATA', '--worst', '1000000'],
      /--worst must be a whole number from 0 to 999999, not "1000000"/,
    ],
    [['rules', 'profile'], /--data/],
    [['rules', 'profile', '--data', 'DATA', '--top', '-1'], /--top/],
    [['rules', 'new', '--policy', 'LLM11', '--label', 'x'], /--policy/],
    [['rules', 'profile', '--data', 'DATA', '--top', '1000000'], /--top must be a whole number from 0 to 999999/],
    [['rules', 'new', '--policy', 'LLM01', '--label', 'No Label'], /--label must be lowercase words/],
    [
      ['rules', 'new', '--policy', 'LLM01', '--label', 'a'.repeat(65)],
      /--label must have at most 64 characters, not 65/,
    ],
    [['rules', 'new', '--policy', 'LLM01', '--label', 'x', '--dir', '/nonexistent'], /--dir/],
    [['rules', 'new', '--policy', 'LLM01', '--label', 'x', '--pack', '../x'], /--pack/],
    [['rules', 'new', '--policy', 'LLM01', '--label', 'x', '--pack', 'x'.repeat(300)], /^--pack must be/],
  ])('exits 2 for %j and names the argument', async (args, message) => {
    const { code, stderr, stdout } = await merlon(
      args.map((argument) => argument.replace('DATA', file('data'))),
      { env: before },
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('merlon rules profile', () => {
  it('counts what each rule did', async () => {
    const { code, stdout } = await merlon(['rules', 'profile', '--data', file('data'), '--json'], { env: before });
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as CostReport;
    expect(report).toMatchObject({ messages: 10, bytes: 86 });
    const byId = new Map(report.rules.map((rule) => [rule.id, rule]));
    expect(byId.get('LLM01-0001')).toMatchObject({ sightings: 3, runs: 0, matches: 3, patterns: [{ kind: 'exact' }] });
    expect(byId.get('LLM02-0001')).toMatchObject({
      openings: 1,
      runs: 1,
      matches: 1,
      patterns: [{ kind: 'gated', hits: 1 }],
    });
    const times = report.rules.map(({ us_per_kb }) => us_per_kb);
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it('passes over a message that is too long, and measures those behind it', async () => {
    const line = (text: string) => `${JSON.stringify({ text })}\n`;
    const long = line('long '.repeat(4 * 1024 * 1024));
    writeFileSync(file('long.jsonl'), `${long}${line('a zebra').repeat(3_000)}`);
    const run = (path: string) => merlon(['rules', 'profile', '--data', path, '--json'], { env: before });
    const { code, stdout, stderr } = await run(file('long.jsonl'));
    expect([code, JSON.parse(stdout).messages]).toEqual([0, 3_000]);
    expect(stderr).toContain('on 3000 messages (others are left out: all together have up to 16.8 million characters)');
    writeFileSync(file('long.jsonl'), long);
    expect(await run(file('long.jsonl'))).toMatchObject({
      code: 2,
      stderr: `--data: there is no message of up to 16.8 million characters in ${file('long.jsonl')}\n`,
    });
  });

  it('tells the cost of shared patterns once, with the rule that they belong to', async () => {
    const sharer = { id: 'LLM02-0003', score: 0.7, patternsOf: 'LLM01-0001' };
    const env = { MERLON_RULES: writeRules('shared', [phrase('LLM01-0001', 0.7, 'zebra'), telephone, sharer]) };
    const profiled = ['rules', 'profile', '--data', file('data')];
    const report = JSON.parse((await merlon([...profiled, '--json'], { env })).stdout) as CostReport;
    const byId = new Map(report.rules.map((rule) => [rule.id, rule]));
    expect(byId.get('LLM01-0001')).toMatchObject({ sightings: 3, matches: 3, patterns: [{ kind: 'exact' }] });
    expect(byId.get('LLM02-0003')).toMatchObject({
      patterns_of: 'LLM01-0001',
      ...{ sightings: 0, matches: 3, us_per_kb: 0, patterns: [] },
    });
    const { stdout } = await merlon(profiled, { env });
    expect(stdout).toMatch(/^LLM01-0001 \+ LLM02-0003 +\d/m);
    expect(stdout).toMatch(/^LLM02-0003 \(see LLM01-0001\) +0\.0000 /m);
  });

  it('says what to change about rules without a bound or with a common gate', async () => {
    const dear = [
      { id: 'LLM01-0001', score: 0.7, pattern: "regex: 'common .+', validate: [luhn]" },
      { id: 'LLM01-0002', score: 0.7, pattern: "regex: '\\p{Lu}\\p{Ll}{3}\\p{Lu}'" },
    ];
    const data = Array.from({ length: 100 }, (_, i) =>
      JSON.stringify({ text: `common words without any of those numbers: ${i}` }),
    ).join('\n');
    const { stdout } = await merlon(['rules', 'profile', '--data', '-'], {
      env: { MERLON_RULES: writeRules('dear', [...dear, telephone]) },
      input: data,
    });
    expect(stdout).toMatch(/LLM01-0001 pattern 1 has no bounded length/);
    expect(stdout).toMatch(/LLM01-0001 pattern 1 "common ?" is common: seen 100 times/);
    expect(stdout).toMatch(/LLM01-0001 pattern 1 validators drop nearly all of its 100 hits/);
    expect(stdout).toMatch(/LLM01-0002 pattern 1 requires no literal/);
    expect(stdout).toMatch(/µs per KB on 100 messages/);
  });
});

describe('merlon rules new', () => {
  it('takes the next free id, compiles, and lets the check say what to fill in', async () => {
    const rules = writeRules('fresh', [phrase('LLM01-0004', 0.7, 'zebra'), telephone]);
    writeFileSync(join(rules, 'retired.yaml'), 'retired: [LLM01-0007]\n');
    const args = ['rules', 'new', '--policy', 'llm01', '--label', 'new-thing', '--dir', rules];
    const made = await merlon(args);
    expect(made).toMatchObject({ code: 0, stdout: `${join(rules, 'LLM01-x', 'new-thing.yaml')}:3 LLM01-0008\n` });
    expect((await merlon(args)).stdout).toContain('LLM01-0009');
    const checked = await merlon(['rules', 'check', rules], { env: { MERLON_CACHE: 'off' } });
    expect(checked.code).toBe(1);
    const problems = checked.stdout
      .trim()
      .split('\n')
      .filter((line) => line.includes('new-thing.yaml'));
    expect(problems.length).toBeGreaterThan(20);
    expect(problems.filter((line) => !line.includes(' E304 '))).toEqual([]);
    expect(made.stdout, 'the same file').toContain(problems[0].split(':', 1)[0]);
    expect(problems[0]).toMatch(/new-thing\.yaml:5:\d+ E304 LLM01-0008: title is still to be filled in$/);
    const scanned = await merlon(['scan'], { env: { MERLON_RULES: rules }, input: 'a zebra' });
    expect(scanned.code, 'a skeleton does not stop the others').toBe(1);
  });

  it('takes the first gap where the last id is taken, and says so where there is none', async () => {
    const rules = writeRules('last', [
      phrase('LLM01-0001', 0.7, 'zebra'),
      phrase('LLM01-9999', 0.7, 'quokka'),
      telephone,
    ]);
    writeFileSync(join(rules, 'retired.yaml'), 'retired: [LLM01-0002]\n');
    const args = ['rules', 'new', '--policy', 'LLM01', '--label', 'new-thing', '--dir', rules];
    expect((await merlon(args)).stdout).toMatch(/ LLM01-0003\n$/);
    const all = Array.from({ length: 9_999 }, (_, i) => `LLM01-${String(i + 1).padStart(4, '0')}`);
    writeFileSync(join(rules, 'retired.yaml'), `retired: [${all.join(', ')}]\n`);
    expect(await merlon(args)).toMatchObject({ code: 2, stderr: '--policy: LLM01 has no free id left\n' });
  });

  it('does not spoil a pack that it cannot add to', async () => {
    const rules = writeRules('odd', [phrase('LLM01-0001', 0.7, 'zebra'), telephone]);
    const pack = join(rules, 'LLM01-x', 'odd.yaml');
    writeFileSync(pack, 'rules: []\npolicy: LLM01\n');
    const { code, stderr } = await merlon(['rules', 'new', '--policy', 'LLM01', '--label', 'odd', '--dir', rules]);
    expect([code, readFileSync(pack, 'utf8')]).toEqual([2, 'rules: []\npolicy: LLM01\n']);
    expect(stderr).toContain('--pack');
  });

  it('gives no id away where a pack that may name more cannot be read', async () => {
    const rules = writeRules('latin', [phrase('LLM01-0001', 0.7, 'zèbre'), telephone]);
    const pack = join(rules, 'LLM01-x', 'a.yaml');
    const bytes = Buffer.from(readFileSync(pack, 'utf8'), 'latin1');
    writeFileSync(pack, bytes);
    for (const more of [['--pack', 'a'], []]) {
      const refused = await merlon(['rules', 'new', '--policy', 'LLM01', '--label', 'x', '--dir', rules, ...more]);
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringMatching(/^--dir: LLM01-x\/a\.yaml:4:\d+ E107 /),
      ]);
    }
    expect(readFileSync(pack)).toEqual(bytes);
    expect(readdirSync(join(rules, 'LLM01-x'))).toEqual(['a.yaml']);
  });

  it('leaves a pack as it was, and no new one, where the disk is full', async () => {
    const rules = writeRules('full', [phrase('LLM01-0001', 0.7, 'zebra'), telephone]);
    const pack = join(rules, 'LLM01-x', 'a.yaml');
    const whole = readFileSync(pack, 'utf8');
    const present = readdirSync(rules, { recursive: true }).sort();
    const args = ['rules', 'new', '--label', 'x', '--dir', rules];
    for (const more of [
      ['--policy', 'LLM01', '--pack', 'a'],
      ['--policy', 'LLM01'],
      ['--policy', 'LLM09'],
    ]) {
      const { code, stdout, stderr } = await merlon([...args, ...more], { fileBytesMax: 512 });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^--dir: .*\.yaml cannot be written \(EFBIG\)\n$/);
    }
    expect(readFileSync(pack, 'utf8')).toBe(whole);
    expect(readdirSync(rules, { recursive: true }).sort()).toEqual(present);
  });

  it('loses no rule where several are made at once, also for packs of their own', async () => {
    const rules = writeRules('at-once', [phrase('LLM01-0001', 0.7, 'zebra'), telephone]);
    const args = ['rules', 'new', '--policy', 'LLM01', '--label', 'new-thing', '--dir', rules];
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, i) => merlon([...args, '--pack', i % 3 === 0 ? 'other' : 'a'])),
    );
    expect(made.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    const packs = ['a', 'other'].map((name) => readFileSync(join(rules, 'LLM01-x', `${name}.yaml`), 'utf8'));
    const ids = [...packs.join('\n').matchAll(/id: (LLM01-\d{4})/g)].map(([, id]) => id);
    expect(ids.sort()).toEqual(Array.from({ length: 7 }, (_, i) => `LLM01-000${i + 1}`));
    expect(readdirSync(rules).sort(), 'no lock').toEqual(['LLM01-x', 'LLM02-x', 'profiles']);
  });

  it('gives up where another one does not end, and writes nothing', async () => {
    const rules = writeRules('locked', [phrase('LLM01-0001', 0.7, 'zebra'), telephone]);
    const lock = join(rules, '.new-rule.lock');
    writeFileSync(lock, '');
    const env = preloading(movedClock.replace('process.stderr.isTTY = true;', ''));
    const { code, stderr } = await merlon(['rules', 'new', '--policy', 'LLM01', '--label', 'x', '--dir', rules], {
      env,
    });
    expect([code, stderr]).toEqual([
      2,
      `--dir: ${lock} does not go; where no other command is at work there, remove it\n`,
    ]);
    expect(readdirSync(join(rules, 'LLM01-x'))).toEqual(['a.yaml']);
  });

  it.each([
    ['ends without a line feed', 'a.yaml', 'a.yaml'],
    ['ends in .yml', 'a.yml', 'a.yml'],
    ['ends in .yml, and is named without', 'a.yml', 'a'],
  ])('appends to a pack that %s, and says where', async (_, present, named) => {
    const rules = writeRules(`pack-${named}-${present}`, [phrase('LLM01-0001', 0.7, 'zebra'), telephone]);
    const pack = join(rules, 'LLM01-x', present);
    const whole = readFileSync(join(rules, 'LLM01-x', 'a.yaml'), 'utf8').trimEnd();
    rmSync(join(rules, 'LLM01-x', 'a.yaml'));
    writeFileSync(pack, whole);
    const args = ['rules', 'new', '--policy', 'LLM01', '--label', 'x', '--dir', rules, '--pack', named];
    const { stdout } = await merlon(args);
    const longer = readFileSync(pack, 'utf8');
    expect(longer.startsWith(`${whole}\n  - id: LLM01-0002\n`)).toBe(true);
    expect(stdout).toBe(`${pack}:${whole.split('\n').length + 1} LLM01-0002\n`);
    expect(readdirSync(join(rules, 'LLM01-x'))).toEqual([present]);
  });

  it('appends behind a link, and leaves who may read the pack', async () => {
    const rules = writeRules('linked', [phrase('LLM01-0001', 0.7, 'zebra'), telephone]);
    const [named, real] = [join(rules, 'LLM01-x', 'a.yaml'), join(rules, '..', 'real.yaml')];
    renameSync(named, real);
    chmodSync(real, 0o600);
    symlinkSync(real, named);
    const made = await merlon(['rules', 'new', '--policy', 'LLM01', '--label', 'x', '--pack', 'a', '--dir', rules]);
    expect(made.code).toBe(0);
    expect(lstatSync(named).isSymbolicLink()).toBe(true);
    expect([statSync(real).mode & 0o777, readFileSync(real, 'utf8')]).toEqual([
      0o600,
      expect.stringContaining('label: x'),
    ]);
  });
});
