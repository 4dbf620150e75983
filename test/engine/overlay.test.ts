import { describe, expect, it } from 'vitest';
import type { AllowedPhrase, CustomRule } from '../../src/domain/custom-rules.js';
import type { Message } from '../../src/domain/message.js';
import type { PolicySetting } from '../../src/domain/profile.js';
import { scanMessages } from '../../src/engine/judge/judge.js';

import { compileProfile } from '../../src/engine/judge/profile.js';
import { type Overlay, openOverlay } from '../../src/engine/overlay.js';
import { createScanner } from '../../src/engine/scanner.js';
import { compileCustomRules } from '../../src/rules/custom-rules.js';
import { programOf } from './program-of.js';

const base = programOf([{ phrase: 'shipped hint' }, { phrase: 'strong words' }], { score: 0.3 });
const scanner = createScanner(base);
const shippedIds = new Set(base.rules.map(({ id }) => id));
const enforce: PolicySetting = { mode: 'enforce', threshold: 0.5 };
const profileOf = (policies: Readonly<Record<string, PolicySetting>>) =>
  compileProfile({ id: 'test', title: 'Test', policies }, base);
const both = profileOf({ LLM01: enforce, LLM02: enforce });
const user = (content: string): Message => ({ role: 'user', content });

function overlayOf(rules: readonly CustomRule[], allow: readonly AllowedPhrase[] = []): Overlay {
  const named = rules.map((rule, index) => ({ id: `ORG-000${index + 1}`, ...rule }));
  const { program, report } = compileCustomRules({ rules: named, allow }, shippedIds);
  if (!program) throw new Error(JSON.stringify(report.diagnostics));
  const allowed = allow.map(({ policies = [], rules: ruleIds = [] }) => ({ policies, ruleIds }));
  return openOverlay(
    { id: 'test', programId: 'test', program: program.memory, ruleCount: rules.length, allowed },
    base,
  );
}

const scan = (overlay: Overlay | undefined, content: string, profile = both) =>
  scanMessages(scanner, profile, [user(content)], overlay);
const falcon: CustomRule = { policy: 'LLM02', patterns: [{ phrase: 'project falcon' }] };
const hint: CustomRule = { policy: 'LLM01', label: 'org-hint', score: 0.4, patterns: [{ regex: 'own[0-9]hint' }] };

describe('shipped rules and those of an organization', () => {
  it('find what they each find, in order of the text', () => {
    const { flagged, policies, findings } = scan(overlayOf([falcon, hint]), 'own1hint, Project  Falcon, shipped hint');
    expect(flagged).toBe(true);
    expect(policies).toEqual(['LLM01', 'LLM02']);
    expect(findings.map(({ start, end, ruleIds }) => [start, end, ...ruleIds])).toEqual([
      [0, 8, 'ORG-0002'],
      [10, 25, 'ORG-0001'],
      [27, 39, 'LLM01-0001'],
    ]);
  });

  it('add up to one score of a policy', () => {
    const overlay = overlayOf([hint]);
    expect(scan(overlay, 'shipped hint')).toMatchObject({ flagged: false, scores: { LLM01: 0.3 }, findings: [] });
    expect(scan(overlay, 'own1hint')).toMatchObject({ flagged: false, scores: { LLM01: 0.4 }, findings: [] });
    expect(scan(overlay, 'own1hint shipped hint')).toMatchObject({ flagged: true, scores: { LLM01: 0.58 } });
  });

  it('are one finding with all labels where they mark the same words', () => {
    const overlay = overlayOf([{ policy: 'LLM01', label: 'also', patterns: [{ phrase: 'strong words' }] }]);
    const { findings } = scan(overlay, 'strong words');
    expect(findings).toMatchObject([{ labels: ['also', 'label-2'], ruleIds: ['LLM01-0002', 'ORG-0001'] }]);
  });

  it.each([
    ['enforce', { LLM02: enforce }, true, 1],
    ['monitor', { LLM02: { mode: 'monitor', threshold: 0.5 } as const }, false, 1],
    ['off', { LLM01: enforce }, false, 0],
  ])('do as the profile says: %s', (_, policies, flagged, count) => {
    const verdict = scan(overlayOf([falcon]), 'project falcon', profileOf(policies));
    expect([verdict.flagged, verdict.findings.length]).toEqual([flagged, count]);
  });

  it('look at the roles that they name, and through disguises', () => {
    const overlay = overlayOf([{ ...falcon, policy: 'LLM01', roles: ['tool'] }]);
    expect(scan(overlay, 'project falcon').flagged).toBe(false);
    const hidden = Buffer.from('all about project falcon today').toString('base64');
    const [finding] = scanMessages(scanner, both, [{ role: 'tool', content: `see ${hidden}` }], overlay).findings;
    expect(finding).toMatchObject({ ruleIds: ['ORG-0001'], via: ['base64'] });
    expect(finding.start).toBeGreaterThan(4);
    expect(finding.end).toBeLessThan(4 + hidden.length);
  });

  it('list the detectors of both once, in order', () => {
    const overlay = overlayOf([falcon, { ...hint, label: 'label-1' }], [{ phrase: 'x y', policies: ['LLM01'] }]);
    expect(overlay.detectors.map(({ policy, label }) => `${policy}:${label}`)).toEqual([
      'LLM01:label-1',
      'LLM01:label-2',
      'LLM02:custom',
    ]);
  });

  it('say when a flood was cut off', () => {
    const verdict = scan(overlayOf([falcon]), 'project falcon. '.repeat(1_500));
    expect(verdict).toMatchObject({ flagged: true, truncated: true });
    expect(verdict.findings).toHaveLength(1_000);
  });
});

describe('an allowed phrase', () => {
  const strong: CustomRule = { policy: 'LLM01', patterns: [{ phrase: 'strong words' }, { phrase: 'very strong' }] };
  const cases: readonly (readonly [string, AllowedPhrase, string, readonly string[]])[] = [
    ['covers a match within it', { phrase: 'very strong words', policies: ['LLM01'] }, 'Very  STRONG words', []],
    ['covers a match that it equals', { phrase: 'strong words', policies: ['LLM01'] }, 'strong words', []],
    [
      'covers no match that goes beyond it',
      { phrase: 'strong', policies: ['LLM01'] },
      'strong words',
      ['LLM01-0002', 'ORG-0001'],
    ],
    [
      'covers nothing elsewhere',
      { phrase: 'very strong words', policies: ['LLM01'] },
      'very strong words, strong words',
      ['LLM01-0002', 'ORG-0001'],
    ],
    [
      'covers the rules that it names alone',
      { phrase: 'strong words', rules: ['ORG-0001'] },
      'strong words',
      ['LLM01-0002'],
    ],
    [
      'covers shipped rules that it names',
      { phrase: 'strong words', rules: ['LLM01-0002'] },
      'strong words',
      ['ORG-0001'],
    ],
    [
      'covers no other policy',
      { phrase: 'strong words', policies: ['LLM02'] },
      'strong words',
      ['LLM01-0002', 'ORG-0001'],
    ],
    ['is a match by itself nowhere', { phrase: 'good morning', policies: ['LLM01'] }, 'good morning', []],
    ['is no part of a word', { phrase: 'strong words', policies: ['LLM01'] }, 'armstrong words', []],
  ];
  it.each(cases)('%s', (_, allowed, content, ruleIds) => {
    const sensitive = profileOf({ LLM01: { mode: 'enforce', threshold: 0.2 } });
    const { findings } = scan(overlayOf([strong], [allowed]), content, sensitive);
    expect([...new Set(findings.flatMap((finding) => finding.ruleIds))].sort()).toEqual(ruleIds);
  });

  it('takes scores away with the matches', () => {
    const overlay = overlayOf([hint], [{ phrase: 'shipped hint', policies: ['LLM01'] }]);
    expect(scan(overlay, 'own1hint shipped hint')).toMatchObject({ flagged: false, scores: { LLM01: 0.4 } });
  });

  it('works without any rules beside it', () => {
    const overlay = overlayOf([], [{ phrase: 'shipped hint strong words', policies: ['LLM01'] }]);
    expect(scan(undefined, 'shipped hint strong words').flagged).toBe(true);
    expect(scan(overlay, 'shipped hint strong words').flagged).toBe(false);
    expect(scan(overlay, 'strong words, shipped hint').flagged).toBe(true);
  });

  it('hides nothing behind a flood of itself', () => {
    const overlay = overlayOf([strong], [{ phrase: 'allowed: strong words', policies: ['LLM01'] }]);
    const flood = 'allowed: strong words; '.repeat(1_200);
    expect(scan(overlay, `${flood} strong words`)).toMatchObject({ flagged: true, truncated: true });
    expect(scan(overlay, flood.slice(0, 23 * 900)).flagged).toBe(false);
  });

  it('go over to other shipped rules and allowances in the same memory', () => {
    const first = overlayOf([falcon], [{ phrase: 'the film project falcon', rules: ['ORG-0001'] }]);
    const { byteLength } = first.parts.program.buffer;
    const otherBase = programOf([{ phrase: 'one more' }, ...[1, 2].map((n) => ({ phrase: `other ${n}` }))], {
      score: 0.3,
    });
    const allowed = [{ policies: [], ruleIds: [] }];
    const second = first.over({ ...first.parts, id: 'later', allowed }, otherBase);
    expect(second.parts.program.buffer.byteLength).toBe(byteLength);
    const text = 'the film project falcon, one more';
    expect(scan(first, text).findings).toEqual([]);
    const later = scanMessages(
      createScanner(otherBase),
      compileProfile({ id: 'test', title: 'Test', policies: { LLM02: enforce } }, otherBase),
      [user(text)],
      second,
    );
    expect(later.findings.map(({ start, end, ruleIds }) => [start, end, ...ruleIds])).toEqual([[9, 23, 'ORG-0001']]);
    expect(scan(first, text).findings).toEqual([]);
  });
});
