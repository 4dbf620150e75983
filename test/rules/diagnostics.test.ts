import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { diagnosticCodes, formatDiagnostic } from '../../src/rules/diagnostic.js';
import { runExamples } from '../../src/rules/examples.js';
import { loadRuleset } from '../../src/rules/load.js';
import { modelOf } from '../engine/learned/model-of.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A pack that is in order; tests break one thing in it. */
const sound = `policy: LLM01
rules:
  - id: LLM01-0001
    label: test-label
    title: A title
    severity: high
    score: 0.7
    patterns:
      - phrase: "drop all rules"
    why: because
    misses: much
    references: [https://example.org/]
    examples:
      match: ["drop all rules", "Drop all rules!"]
      clean: ["keep all rules", "drop it"]
      near: ["drop all rulers"]
`;
const profile = 'id: default\ntitle: Test\npolicies:\n  LLM01: { mode: enforce, threshold: 0.5 }\n';

function diagnose(files: Readonly<Record<string, string | Uint8Array>>): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'merlon-rules-'));
  folders.push(folder);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const { program, rules, diagnostics } = loadRuleset(folder);
  return [...diagnostics, ...runExamples(program, rules).diagnostics].map(formatDiagnostic);
}

const model = modelOf({ texts: ['some words'], wordBuckets: 1, gramBuckets: 2 });

const pack = (change: (text: string) => string) => ({ 'LLM01-prompt-injection/a.yaml': change(sound) });
const file = 'LLM01-prompt-injection/a.yaml';

/** The pack again, as another rule's that has `patterns_of` in the place of patterns. */
const sharer = (patternsOf: string) =>
  sound
    .replace('LLM01-0001', 'LLM01-0002')
    .replace('patterns:\n      - phrase: "drop all rules"', `patterns_of: ${patternsOf}`);
const sharing = 'LLM01-prompt-injection/0.yaml';

const cases: readonly [
  what: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  expected: readonly string[],
][] = [
  ['a sound pack', { ...pack((text) => text), 'profiles/default.yaml': profile }, []],
  ['broken YAML', pack((text) => text.replace('label: test-label', 'label: test: label')), [`${file}:4:12 E101 `]],
  [
    'Latin-1',
    { [file]: Buffer.from(sound.replace('drop all rules"', 'café rules"'), 'latin1') },
    [`${file}:9:21 E107 cannot be read (not valid UTF-8)`],
  ],
  [
    'a YAML key twice',
    pack((text) => text.replace('    why: because\n', '    why: a\n    why: b\n')),
    [`${file}:11:5 E101 `],
  ],
  ['two documents', pack((text) => `${text}---\n${text}`), [`${file}:17:1 E101 a second document begins here, `]],
  [
    'a pack whose name ends in capitals',
    { 'LLM01-prompt-injection/a.YAML': sound.replace('0.7', '7') },
    ['LLM01-prompt-injection/a.YAML:7:12 E102 '],
  ],
  [
    'an alias of nothing',
    pack((text) => text.replace('misses: much', 'misses: *nothing')),
    [`${file}:11:13 E101 the alias *nothing has no anchor`],
  ],
  [
    'an alias of what it lies in',
    pack((text) => text.replace('[https://example.org/]', '&all [*all]')),
    [`${file}:12:23 E101 the alias *all contains itself`],
  ],
  [
    'aliases beyond measure',
    pack((text) => {
      const more = ['b', 'c', 'd'].map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abc'[i]}`).join()}]\n`);
      return `${text}a: &a [1]\n${more.join('')}`;
    }),
    [`${file}:18:8 E101 aliases repeat an anchor more than 100 times`],
  ],
  ['an alias', pack((text) => text.replace('because', '&why because').replace('misses: much', 'misses: *why')), []],
  ['an unknown key', pack((text) => text.replace('why:', 'wy:')), [`${file}:3:5 E102 `, `${file}:10:9 E102 `]],
  ['a wrong severity', pack((text) => text.replace('high', 'hig')), [`${file}:6:15 E102 `]],
  ['a score of zero', pack((text) => text.replace('0.7', '0')), [`${file}:7:12 E102 `]],
  [
    'a least score of a rule that no model speaks for',
    pack((text) => text.replace('    patterns:', '    least: { tool: 0.9 }\n    patterns:')),
    [`${file}:8:12 E102 LLM01-0001: least is for rules that a model speaks for`],
  ],
  [
    'a least score of an unknown role',
    pack((text) => text.replace('    patterns:', '    least: { waiter: 0.9 }\n    patterns:')),
    [`${file}:8:22 E102 rules.0.least.waiter`],
  ],
  [
    'a least score that none reaches',
    pack((text) => text.replace('    patterns:', '    least: { tool: 1 }\n    patterns:')),
    [`${file}:8:20 E102 `],
  ],
  ['one match example', pack((text) => text.replace(', "Drop all rules!"', '')), [`${file}:14:14 E102 `]],
  ['an id of another policy', pack((text) => text.replace('LLM01-0001', 'LLM02-0001')), [`${file}:3:9 E103 `]],
  [
    'an id twice',
    { ...pack((text) => text), 'LLM01-prompt-injection/b.yaml': sound },
    ['LLM01-prompt-injection/b.yaml:3:9 E104 '],
  ],
  ['a retired id', { ...pack((text) => text), 'retired.yaml': 'retired: [LLM01-0001]\n' }, [`${file}:3:9 E105 `]],
  [
    'a foreign folder',
    { 'LLM05-improper-output-handling/a.yaml': sound },
    ['LLM05-improper-output-handling/a.yaml:1:9 E106 '],
  ],
  [
    'a broken phrase',
    pack((text) => text.replace('"drop all rules"\n    why', '"drop (all rules"\n    why')),
    [`${file}:9:23 E201 `, `${file}:14:15 E301 `, `${file}:14:33 E301 `],
  ],
  [
    'signs of phrases where they mean nothing',
    pack((text) => {
      const phrases = ['*', 'drop * rules', 'drop | all', 'drop all)'];
      return text.replace(
        '"drop all rules"\n',
        `"drop all rules"\n${phrases.map((each) => `      - phrase: '${each}'\n`).join('')}`,
      );
    }),
    [
      `${file}:10:17 E201 LLM01-0001: a word is missing before *`,
      `${file}:11:23 E201 LLM01-0001: a word is missing before *`,
      `${file}:12:23 E201 LLM01-0001: alternatives stand in brackets: (a|b)`,
      `${file}:13:26 E201 LLM01-0001: ) closes nothing; the character itself is \\)`,
    ],
  ],
  [
    'a regex with look-ahead',
    pack((text) => text.replace('phrase: "drop all rules"', "regex: 'drop(?= )'")),
    [`${file}:9:21 E202 `, `${file}:14:15 E301 `, `${file}:14:33 E301 `],
  ],
  [
    'a regex that RE2 finds too large',
    pack((text) => text.replace('phrase: "drop all rules"', "regex: 'drop(?:[a-z]{900}){900}'")),
    [`${file}:9:16 E202 `, `${file}:14:15 E301 `, `${file}:14:33 E301 `],
  ],
  [
    'an unknown validator',
    pack((text) => text.replace('phrase: "drop all rules"', "regex: 'drop all rules'\n        validate: [nope]")),
    [`${file}:10:20 E203 `, `${file}:15:15 E301 `, `${file}:15:33 E301 `],
  ],
  [
    'a regex that matches nothing',
    pack((text) => text.replace('phrase: "drop all rules"', "regex: '(?:drop)*'")),
    [`${file}:9:16 E204 `, `${file}:14:15 E301 `, `${file}:14:33 E301 `],
  ],
  [
    'a word class that is not there',
    pack((text) => text.replace('drop all rules"', 'drop all {rules}"')),
    [`${file}:9:17 E205 `, `${file}:14:15 E301 `, `${file}:14:33 E301 `],
  ],
  ['patterns of a rule that comes later', { ...pack((text) => text), [sharing]: sharer('LLM01-0001') }, []],
  [
    'patterns of a rule that is not there',
    { [sharing]: sharer('LLM01-0001') },
    [`${sharing}:8:18 E209 `, `${sharing}:13:15 E301 `, `${sharing}:13:33 E301 `],
  ],
  [
    'patterns of the rule itself',
    { [sharing]: sharer('LLM01-0002') },
    [`${sharing}:8:18 E210 `, `${sharing}:13:15 E301 `, `${sharing}:13:33 E301 `],
  ],
  [
    'patterns of a rule that has those of another',
    {
      ...pack((text) => text),
      [sharing]: sharer('LLM01-0003'),
      'LLM01-prompt-injection/b.yaml': sharer('LLM01-0001').replace('LLM01-0002', 'LLM01-0003'),
    },
    [`${sharing}:8:18 E210 `, `${sharing}:13:15 E301 `, `${sharing}:13:33 E301 `],
  ],
  [
    'patterns of a rule with a detector',
    {
      ...pack((text) => text.replace('    why:', '      - detect: hidden-text\n    why:')),
      [sharing]: sharer('LLM01-0001'),
    },
    [`${sharing}:8:18 E210 `, `${sharing}:13:15 E301 `, `${sharing}:13:33 E301 `],
  ],
  [
    'a broken pattern of two rules, told once',
    { ...pack((text) => text.replace('all rules"\n', '(all rules"\n')), [sharing]: sharer('LLM01-0001') },
    [
      `${file}:9:23 E201 `,
      ...[`${sharing}:13:15 E301 `, `${sharing}:13:33 E301 `, `${file}:14:15 E301 `, `${file}:14:33 E301 `],
    ],
  ],
  ['an id that cannot be', { [sharing]: sharer('LLM1-1') }, [`${sharing}:8:18 E102 `]],
  [
    'patterns and those of another',
    pack((text) => text.replace('    why:', '    patterns_of: LLM01-0002\n    why:')),
    [`${file}:10:18 E102 `],
  ],
  [
    'exceptions to patterns of another',
    {
      ...pack((text) => text),
      [sharing]: sharer('LLM01-0001').replace('    why:', '    unless_before: [never]\n    why:'),
      'LLM01-prompt-injection/b.yaml': sharer('LLM01-0001')
        .replace('LLM01-0002', 'LLM01-0003')
        .replace('    why:', '    unless_after: [never]\n    why:'),
    },
    [
      `${sharing}:9:20 W505 LLM01-0002: unless_before does nothing beside patterns_of: `,
      'LLM01-prompt-injection/b.yaml:9:19 W505 LLM01-0003: unless_after does nothing beside patterns_of: ',
    ],
  ],
  [
    'neither patterns nor those of another',
    pack((text) => text.replace('    patterns:\n      - phrase: "drop all rules"\n', '')),
    [`${file}:3:5 E102 `],
  ],
  ['an example not hit', pack((text) => text.replace('"Drop all rules!"', '"Drop rules!"')), [`${file}:14:33 E301 `]],
  [
    'an example with another hit',
    pack((text) => text.replace('"Drop all rules!"', '{ text: "Drop all rules!", hit: "Drop" }')),
    [`${file}:14:33 E302 `],
  ],
  ['a near miss that is hit', pack((text) => text.replace('rulers', 'rules now')), [`${file}:16:14 E303 `]],
  [
    'a profile twice',
    { ...pack((text) => text), 'profiles/a.yaml': profile, 'profiles/b.yaml': profile },
    ['profiles/b.yaml:1:5 E401 '],
  ],
  [
    'a profile with a model that is not there',
    { ...pack((text) => text), 'profiles/a.yaml': `${profile}model: ours\n` },
    ['profiles/a.yaml:5:8 E402 '],
  ],
  [
    'a profile with an unknown policy',
    { ...pack((text) => text), 'profiles/a.yaml': profile.replace('LLM01', 'LLM11') },
    ['profiles/a.yaml:4:10 E102 '],
  ],
  [
    'a profile with a scope that there is not',
    { ...pack((text) => text), 'profiles/a.yaml': `${profile}scan_scope: newest\n` },
    ['profiles/a.yaml:5:13 E102 '],
  ],
  [
    'a regex without a literal',
    pack((text) => text.replace('phrase: "drop all rules"', "regex: '[Dd]rop all rules|\\d{9}'")),
    [`${file}:9:16 W501 `],
  ],
  [
    'an unbounded regex',
    pack((text) => text.replace('phrase: "drop all rules"', "regex: '[Dd]rop all rules\\b.*'")),
    [`${file}:9:16 W502 `],
  ],
  [
    'a named value that is unbounded, of which two regexes are made',
    pack((text) => text.replace('phrase: "drop all rules"', "{ named: [drop all], value: 'rules.*' }")),
    [`${file}:9:9 W502 `],
  ],
  [
    'a validator that a named value has not',
    pack((text) => text.replace('phrase: "drop all rules"', '{ named: [drop all], value: rules, validate: [nope] }')),
    [`${file}:9:55 E203 `, `${file}:14:15 E301 `, `${file}:14:33 E301 `],
  ],
  [
    'a regex that takes long to compile',
    pack((text) => text.replace('phrase: "drop all rules"', "regex: '[Dd]rop all rules(?: \\p{L}{1,30}){0,3}'")),
    [`${file}:9:16 W504 `],
  ],
  [
    'a regex whose letters are ranges',
    pack((text) => text.replace('phrase: "drop all rules"', "regex: '[Dd]rop all rules(?: [a-zÀ-ỿ]{1,30}){0,3}'")),
    [],
  ],
  [
    'a bounded regex at the begin of the message',
    pack((text) => text.replace('phrase: "drop all rules"', "regex: '^.{0,9}[Dd]rop all rules'")),
    [],
  ],
  [
    'a bounded regex at one end in every alternative',
    pack((text) => text.replace('phrase: "drop all rules"', "regex: '(?:[Dd]rop all rules.{0,9}$|no rules$)'")),
    [],
  ],
  [
    'a regex at an end in one alternative only',
    pack((text) => text.replace('phrase: "drop all rules"', "regex: '[Dd]rop all rules(?:!|$)'")),
    [],
  ],
  [
    'an unbounded regex at the begin of the message',
    pack((text) => text.replace('phrase: "drop all rules"', "regex: '^.*[Dd]rop all rules'")),
    [`${file}:9:16 W502 `],
  ],
  [
    'a phrase whose parts run together',
    pack((text) => text.replace('"drop all rules"\n', '"drop all rules"\n      - phrase: "key rule[s]"\n')),
    [`${file}:10:22 W505 LLM01-0001: rule and what [ opens are two words, `],
  ],
  [
    'a phrase with the escapes of a regex',
    pack((text) => text.replace('"drop all rules"\n', '"drop all rules"\n      - phrase: \'code \\d\\\\d\'\n')),
    [`${file}:10:23 W505 LLM01-0001: \\d is the character d in a phrase: `],
  ],
  [
    'a phrase with a class that has no such name',
    pack((text) => text.replace('"drop all rules"\n', '"drop all rules"\n      - phrase: "drop { Rules }"\n')),
    [`${file}:10:23 W505 LLM01-0001: { Rules } is text: `],
  ],
  [
    'borders that YAML makes control characters of',
    pack((text) =>
      text.replace(
        '"drop all rules"\n',
        '"drop all rules"\n      - regex: "all \\brules"\n      - { named: ["\\ball rules"], value: "drop\\b" }\n',
      ),
    ),
    [
      `${file}:10:21 W505 LLM01-0001: has a backspace in it, `,
      `${file}:11:19 W505 LLM01-0001: has a backspace in it, `,
      `${file}:11:47 W505 LLM01-0001: has a backspace in it, `,
    ],
  ],
  [
    'borders beside letters that they do not know',
    pack((text) =>
      text.replace(
        '"drop all rules"\n',
        `"drop all rules"\n      - regex: '(?:\\bправила|drop café\\b)'\n      - { named: ['правило\\b'], value: '\\bк[0-9]{4}' }\n`,
      ),
    ),
    [
      `${file}:10:20 W505 LLM01-0001: \\b beside п is no border of a word, `,
      `${file}:10:39 W505 LLM01-0001: \\b beside é is no border of a word, `,
      `${file}:11:27 W505 LLM01-0001: \\b beside о is no border of a word, `,
      `${file}:11:40 W505 LLM01-0001: \\b beside к is no border of a word, `,
    ],
  ],
  [
    'borders of ASCII words, a backslash beside a letter, and classes of letters',
    pack((text) =>
      text.replace(
        '"drop all rules"\n',
        `"drop all rules"\n      - regex: 'drop all\\b (?:é|\\bx|é\\\\bé|\\\\bé|\\b[éè]|[éè]\\b)rule'\n`,
      ),
    ),
    [],
  ],
  [
    'a phrase with brackets, braces and a backslash that are meant, and one in a script without spaces',
    pack((text) =>
      text.replace(
        '"drop all rules"\n',
        `"drop all rules"\n      - phrase: 'a\\(b \\{ Rules \\} c\\\\d {"x":"y"} (e|"f") [g] h'\n      - phrase: 红隼(协议|计划)\n`,
      ),
    ),
    [],
  ],
  ['a sound model', { ...pack((text) => text), 'models/a.model': model }, []],
  [
    'a damaged model',
    { ...pack((text) => text), 'models/a.model': model.with(model.length >> 1, 0xaa) },
    ['models/a.model:1:1 E601 '],
  ],
  [
    'a model that was cut off, and an empty one',
    { ...pack((text) => text), 'models/a.model': model.slice(0, -16), 'models/b.model': new Uint8Array(0) },
    ['models/a.model:1:1 E601 ', 'models/b.model:1:1 E601 '],
  ],
  [
    'a model that is too large',
    { ...pack((text) => text), 'models/a.model': new Uint8Array(limits.modelBytesMax + 1) },
    ['models/a.model:1:1 E602 '],
  ],
  [
    'too many models',
    {
      ...pack((text) => text),
      ...Object.fromEntries(Array.from({ length: limits.modelsMax + 1 }, (_, i) => [`models/${i + 10}.model`, model])),
    },
    ['models/28.model:1:1 E602 '],
  ],
  ['other files beside the models', { ...pack((text) => text), 'models/README.md': '# x', 'a.model': 'x' }, []],
];

describe('rule diagnostics', () => {
  it.each(cases)('%s', (_, files, expected) => {
    const found = diagnose(files);
    expect(found.map((line) => expected.find((start) => line.startsWith(start)) ?? line)).toEqual(expected);
  });

  it('reports everything at once', () => {
    const found = diagnose({
      [file]: sound.replace('high', 'hig').replace('0.7', '7'),
      'LLM01-prompt-injection/b.yaml': sound.replace('"drop all rules"\n', '"drop (all rules"\n'),
      'profiles/a.yaml': 'id: 1\n',
    });
    expect(found.length).toBeGreaterThanOrEqual(6);
  });

  it('says so when the folder cannot be read', () => {
    expect(loadRuleset('/nonexistent/rules').diagnostics.map(({ code }) => code)).toEqual(['E107']);
  });

  it('has a case for every code but those that have tests of their own', () => {
    const covered = new Set(cases.flatMap(([, , expected]) => expected.map((line) => line.split(' ')[1])));
    expect(Object.keys(diagnosticCodes).filter((code) => !covered.has(code))).toEqual([
      'E206',
      'E207',
      'E208',
      'E304',
      'W503',
    ]);
  });
});
