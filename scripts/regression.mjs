// Scans the committed corpus (test/regression/corpus) under the default profile and compares every verdict with the one
// that is recorded (test/regression/expected.jsonl). `--write` records what is found now. Exit code 1 where something
// differs; then either the rules are wrong, or the new verdict is meant and its record belongs into the same commit.
//   node scripts/regression.mjs [--write] [--corpus DIR] [--expected FILE]
// Needs a build.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './setup.mjs';

const { values: options } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    corpus: { type: 'string', default: join(root, 'test', 'regression', 'corpus') },
    expected: { type: 'string', default: join(root, 'test', 'regression', 'expected.jsonl') },
  },
});
const { loadRules } = await import(join(root, 'dist', 'commands', 'ruleset.js'));
const { createScanner } = await import(join(root, 'dist', 'engine', 'scanner.js'));
const { scanMessages } = await import(join(root, 'dist', 'engine', 'judge', 'judge.js'));
const { readSample } = await import(join(root, 'dist', 'eval', 'sample.js'));

const { program, profiles } = loadRules();
const scanner = createScanner(program);
const profile = profiles.find(({ id }) => id === 'default');
const samples = readdirSync(options.corpus)
  .filter((file) => file.endsWith('.jsonl'))
  .sort()
  .flatMap((file) => linesOf(join(options.corpus, file)).map((line, index) => sampleOf(file, index, line)));
const records = samples.map((sample) => ({ sample, record: judge(sample) }));
const repeated = samples.find(({ id }, index) => samples.findIndex((other) => other.id === id) !== index);
if (repeated) throw new Error(`two messages of the corpus have the id ${repeated.id}`);

if (options.write) {
  writeFileSync(options.expected, records.map(({ record }) => `${JSON.stringify(record)}\n`).join(''));
  process.stdout.write(`${records.length} messages recorded\n`);
} else {
  process.exitCode = compare() ? 1 : 0;
}

function linesOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

function sampleOf(file, index, line) {
  const sample = readSample(line);
  if (typeof sample === 'string') throw new Error(`${file}:${index + 1} ${sample}`);
  return sample;
}

/** What is recorded of a verdict: all that a client would see but scores and rule ids, which tuning may move freely. */
function judge({ id, role, text }) {
  const { flagged, policies, findings } = scanMessages(scanner, profile, [{ role, content: text }]);
  const found = findings.map(({ start, end, policy, labels }) => `${policy}:${labels.join('+')} ${start}-${end}`);
  return { id, flagged, policies, found };
}

function compare() {
  const expected = new Map(linesOf(options.expected).map((line) => [JSON.parse(line).id, JSON.parse(line)]));
  const counts = {
    'newly found': 0,
    'newly lost': 0,
    'newly flagged benign': 0,
    'newly clean': 0,
    'otherwise changed': 0,
    new: 0,
    gone: 0,
  };
  for (const { sample, record } of records) {
    const before = expected.get(record.id);
    expected.delete(record.id);
    if (JSON.stringify(before) === JSON.stringify(record)) continue;
    const kind = kindOf(sample, before, record);
    counts[kind]++;
    say(
      `${kind}: ${record.id} (${sample.isAttack ? sample.policies.join(', ') : 'benign'}, ${sample.lang}, ${sample.role})`,
    );
    say(`    ${shown(sample.text)}`);
    for (const line of before?.found.filter((each) => !record.found.includes(each)) ?? []) say(`  - ${line}`);
    for (const line of record.found.filter((each) => !before?.found.includes(each))) say(`  + ${line}`);
  }
  for (const id of expected.keys()) {
    counts.gone++;
    say(`gone: ${id} is recorded, but not in the corpus`);
  }
  const changed = Object.entries(counts).filter(([, count]) => count > 0);
  const attacks = records.filter(({ sample }) => sample.isAttack);
  const found = attacks.filter(({ sample, record }) =>
    sample.policies.some((policy) => record.policies.includes(policy)),
  );
  const flagged = records.filter(({ sample, record }) => !sample.isAttack && record.flagged);
  say(
    `${records.length} messages: ${found.length} of ${attacks.length} attacks found, ${flagged.length} of ${records.length - attacks.length} benign flagged; ` +
      (changed.length === 0 ? 'all as recorded' : changed.map(([kind, count]) => `${count} ${kind}`).join(', ')),
  );
  if (changed.length > 0)
    say('If this is meant: node scripts/regression.mjs --write, and commit the records with the rules.');
  return changed.length > 0;
}

function kindOf({ isAttack, policies }, before, after) {
  if (!before) return 'new';
  const isHit = (record) => (isAttack ? policies.some((policy) => record.policies.includes(policy)) : record.flagged);
  if (isHit(before) === isHit(after)) return 'otherwise changed';
  if (isAttack) return isHit(after) ? 'newly found' : 'newly lost';
  return isHit(after) ? 'newly flagged benign' : 'newly clean';
}

/** On one line, cut, with everything unseen spelt out. */
function shown(text) {
  const short = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return short.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
