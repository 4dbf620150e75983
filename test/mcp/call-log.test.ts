import { describe, expect, test } from 'vitest';
import { createRecallParts, openRecall } from '../../src/engine/judge/recall.js';
import { openOverlay } from '../../src/engine/overlay.js';
import { allRoles } from '../../src/engine/program.js';
import { createScanner } from '../../src/engine/scanner.js';
import { matchViews } from '../../src/engine/view/match-views.js';
import { createRedactor, type Redact } from '../../src/guard/redactor.js';
import { logRequest } from '../../src/mcp/call-log.js';
import { compileCustomRules } from '../../src/rules/custom-rules.js';
import { textOf } from '../../src/rules/examples.js';
import { createLogger } from '../../src/telemetry/log.js';
import { loadShippedRules, rules } from '../shipped-rules.js';

const { program } = loadShippedRules();
const scanner = createScanner(program);
const redact = createRedactor(scanner);
const key = ['AK', 'IAQ7ZT', 'M4XW2NLP9DKV'].join('');

/** What the rules of LLM02 mark in a text, as it stands and as it reads otherwise. */
function secretsIn(text: string): readonly string[] {
  const mask = Uint8Array.from(program.rules, ({ policy }) => (policy === 'LLM02' ? 1 : 0));
  return matchViews(scanner, text, allRoles, mask).list.map(({ start, end }) => text.slice(start, end));
}

function logged(
  content: string,
  metadata: object,
  redacted = redact,
): { line: string; previews: readonly string[]; metadata: string } {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line) => lines.push(line) } });
  const request = {
    messages: [{ role: 'user', content }],
    source: 'mcp',
    requestId: 'r',
    receivedUs: 0,
    positionEncoding: 'utf-16',
    payload: false,
    breakdown: false,
    devInfo: false,
  } as const;
  logRequest(log, redacted, { requestId: 'r', userId: 'u' }, request, metadata);
  return { ...JSON.parse(lines[0]), line: lines[0] };
}

describe('redaction', () => {
  test.each([
    ['', 10, ''],
    ['plain words', 5, 'plain'],
    [`key ${key} end`, 100, 'key [redacted] end'],
    [`key ${key} end`, 8, 'key [redacted]'],
    [`key ${key} end`, 4, 'key '],
    [`${key} and ${key}`, 100, '[redacted] and [redacted]'],
  ])('%o to %i', (text, end, expected) => {
    expect(redact(text, end)).toBe(expected);
  });
});

describe('redaction for an organization', () => {
  const own = compileCustomRules(
    {
      rules: [{ id: 'ORG-0001', policy: 'LLM02', roles: ['tool'], patterns: [{ phrase: 'project falcon' }] }],
      allow: [],
    },
    new Set(),
  ).program;
  if (!own) throw new Error('does not compile');
  const overlay = openOverlay(
    { id: 'test', programId: 'test', program: own.memory, ruleCount: 1, allowed: [] },
    program,
  );
  const ofOrganizations = createRedactor(scanner, (id) =>
    id === 'own' ? overlay : id === 'closed' ? 'closed' : undefined,
  );
  const text = `falcon: ${key}, project falcon`;

  test.each([
    ['its own rules as well', 'own', 'falcon: [redacted], [redacted]'],
    ['the shipped rules alone where it has none', 'none', 'falcon: [redacted], project falcon'],
    ['everything while its rules are not open', 'closed', '[redacted]'],
    ['the shipped rules where there are no organizations', undefined, 'falcon: [redacted], project falcon'],
  ])('uses %s', (_, organizationId, expected) => {
    expect(ofOrganizations(text, 100, organizationId)).toBe(expected);
  });
});

describe('redaction with a memory', () => {
  const scans: string[] = [];
  const counted: typeof scanner = {
    ...scanner,
    match: (text, role, asked) => {
      scans.push(text);
      return scanner.match(text, role, asked);
    },
  };
  const remembering = createRedactor(counted, undefined, openRecall(createRecallParts(64)));

  test.each([
    ['what is clean once', 'nothing to hide', 1],
    ['what holds a secret each time', `key ${key} end`, 3],
  ])('scans %s', (_, text, times) => {
    scans.length = 0;
    const shown = [1, 2, 3].map(() => remembering(text, 100, 'own'));
    expect(new Set(shown)).toEqual(new Set([redact(text, 100)]));
    expect(scans).toHaveLength(times);
    remembering(text, 100, 'another');
    expect(scans).toHaveLength(times + 1);
  });
});

describe('the log of a request', () => {
  const cases = rules
    .filter(({ policy }) => policy === 'LLM02')
    .flatMap(({ source }) => source.examples.match.map((example) => [source.id, textOf(example)] as const));

  test.each(cases)('%s: %o does not show, as message or metadata', (_id, text) => {
    const secrets = secretsIn(text);
    expect(secrets.length).toBeGreaterThan(0);
    const { line } = logged(text, { note: text, deep: [{ note: text }], nothing: null });
    for (const secret of secrets) expect(line).not.toContain(JSON.stringify(secret).slice(1, -1));
  });

  test('numbers and keys of the metadata are looked at, too', () => {
    const { line, metadata } = logged('hello', { card: 4111_1111_1111_1111, [key]: 1, ticket: 'T-1' });
    expect(line).not.toContain('4111111111111111');
    expect(line).not.toContain(key);
    expect(metadata).toContain('T-1');
  });

  test('a secret that begins where the preview ends does not begin to show', () => {
    const { previews } = logged(`${'word '.repeat(15)}${key}`, {});
    expect(previews).toEqual([`${'word '.repeat(15)}[redacted]…`]);
  });

  test('texts that are too long are cut', () => {
    const { previews, metadata } = logged('x '.repeat(100_000), { a: 'y '.repeat(100_000), b: ['z'.repeat(100_000)] });
    expect(previews[0].length).toBeLessThan(100);
    expect(metadata.length).toBeLessThan(1_100);
  });

  test.each([
    ['empty strings', Array(300_000).fill('')],
    ['lists in lists', Array.from({ length: 600 }, () => Array(500).fill('x'))],
    ['many names', Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [i, 'x']))],
  ])('of %s in the metadata no more is looked at than shows', (_, many) => {
    const read: string[] = [];
    const counting: Redact = (text, end) => {
      read.push(text);
      return text.slice(0, end);
    };
    const { metadata } = logged('hello', { many }, counting);
    expect(metadata.length).toBeGreaterThan(1_000);
    expect(read.length).toBeLessThan(1_100);
  });
});
