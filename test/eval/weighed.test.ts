import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/domain/finding.js';
import { limits } from '../../src/domain/limits.js';
import { compileProfile } from '../../src/engine/judge/profile.js';
import { judgedUnder } from '../../src/eval/judged.js';
import { RuleTally } from '../../src/eval/rule-tally.js';
import { Weigher } from '../../src/eval/weighed.js';
import { programOfRules } from '../engine/program-of.js';
import { finding, sampleOf } from './fixture.js';

const program = programOfRules([
  { patterns: [{ phrase: 'first' }], score: 0.35 },
  { patterns: [{ phrase: 'second' }], score: 0.35 },
  { patterns: [{ phrase: 'third' }], score: 0.6 },
]);
const ids = program.rules.map(({ id }) => id);
const profile = compileProfile(
  { id: 'default', title: 'Test', policies: { LLM01: { mode: 'enforce', threshold: 0.5 } } },
  program,
);
const weigher = new Weigher(program, profile);
const far = limits.evidenceUnits + 100;
const at = (place: number, rule: number, score?: number): Finding => ({
  ...finding('LLM01', place, place + 5, ids[rule]),
  ...(score === undefined ? {} : { score }),
});

describe('findings as the judge weighs them', () => {
  it.each([
    ['two hints that stand together', [at(0, 0), at(50, 1)], true, 2],
    ['two hints pages apart', [at(0, 0), at(far, 1)], false, 0],
    ['what convicts, and a hint pages apart from it', [at(0, 2), at(far, 0)], true, 1],
    ['two hints of two messages', [at(0, 0), { ...at(50, 1), messageId: 1 }], false, 0],
    ['what a model is little sure of', [at(0, 2, 0.3)], false, 0],
    ['that and a hint', [at(0, 2, 0.3), at(9, 0)], true, 2],
  ])('%s', (_, findings, isReached, shown) => {
    const weighed = weigher.weigh(findings, 'LLM01');
    expect([weighed.isReached, weighed.convicting.length]).toEqual([isReached, shown]);
  });

  it('show what a client sees', () => {
    const findings = [at(0, 2), at(far, 0)];
    const verdict = { flagged: true, policies: ['LLM01' as const], scores: { LLM01: 0.6 }, findings, truncated: false };
    const judged = judgedUnder(profile, sampleOf({}), verdict, weigher);
    expect(judged.findings).toEqual([findings[0]]);
    expect(judged.rules).toEqual([ids[0], ids[2]]);
  });

  it('tell of a rule that it is decisive where the others are pages apart', () => {
    const tally = new RuleTally(program, weigher);
    const sample = sampleOf({ label: 'attack', policies: ['LLM01'] });
    const findings = [at(0, 2), at(far, 0), at(3 * far, 1)];
    const verdict = { flagged: true, policies: ['LLM01' as const], scores: { LLM01: 0.6 }, findings, truncated: false };
    tally.add(judgedUnder(profile, sample, verdict, weigher));
    expect(tally.list(() => 1, 0).map((rule) => rule.decisive_attacks)).toEqual([0, 0, 1]);
  });
});
