import { describe, expect, it } from 'vitest';
import type { CustomPattern, CustomRule } from '../../src/domain/custom-rules.js';
import { limits } from '../../src/domain/limits.js';
import { openOverlay } from '../../src/engine/overlay.js';
import type { Program } from '../../src/engine/program.js';
import { createScanner } from '../../src/engine/scanner.js';
import { createTextKeeper } from '../../src/guard/text-keeper.js';
import { compileCustomRules } from '../../src/rules/custom-rules.js';

function programOf(pattern: CustomPattern): Program {
  const rules: readonly CustomRule[] = [{ id: 'ORG-0001', policy: 'LLM02', patterns: [pattern] }];
  const { program: compiled } = compileCustomRules({ rules, allow: [] }, new Set());
  if (!compiled) throw new Error('the rule does not compile');
  return compiled;
}

const program = programOf({ regex: 'key-[0-9]{4,1000}' });
const keep = createTextKeeper(createScanner(program));
const user = (...contents: readonly string[]) => contents.map((content) => ({ role: 'user', content }));
const contentsOf = (kept: ReturnType<typeof keep>) => kept?.messages.map(({ content, cut }) => [content, cut]);

describe('text that is kept', () => {
  it('is none unless the profile asks for it', () => {
    expect(keep('none', user('text'), [], undefined)).toBeUndefined();
  });

  it('is all of it, or all but secrets, whose places stay the same', () => {
    const messages = user('my key-1234 and key-5678', 'no secret 😀');
    expect(contentsOf(keep('full', messages, [], undefined))).toEqual([
      ['my key-1234 and key-5678', false],
      ['no secret 😀', false],
    ]);
    expect(contentsOf(keep('redacted', messages, [], undefined))).toEqual([
      ['my ████████ and ████████', false],
      ['no secret 😀', false],
    ]);
  });

  it('is nothing but the role of a message that was not scanned', () => {
    const messages = user('key-1234', '', 'key-5678');
    for (const form of ['full', 'redacted'] as const) {
      const [first, second, third] = contentsOf(keep(form, messages, [], undefined, 2)) ?? [];
      expect([first, second]).toEqual([
        ['', true],
        ['', false],
      ]);
      expect(third).toEqual([form === 'full' ? 'key-5678' : '████████', false]);
    }
  });

  it('has a role that is any text as the one that it counts as, of messages that were not scanned, too', () => {
    const sent = ['key-1234', 'my key-5678', 'system', 'Developer', ' tool-result ', 'planner', ''];
    const messages = sent.map((role) => ({ role, content: 'text' }));
    const rolesOf = (form: 'full' | 'redacted', scannedFrom: number) =>
      keep(form, messages, [], undefined, scannedFrom)?.messages.map(({ role }) => role);
    const redacted = ['user', 'user', 'system', 'Developer', ' tool-result ', 'user', 'user'];
    for (const scannedFrom of [0, 3]) {
      expect(rolesOf('full', scannedFrom)).toEqual(sent);
      expect(rolesOf('redacted', scannedFrom)).toEqual(redacted);
    }
  });

  it('has no secrets of the verdict, as through encodings, and of the organization', () => {
    const finding = { messageId: 0, start: 2, end: 6, labels: [], ruleIds: [], severity: 'low' } as const;
    const messages = user('a bcde project falcon key-1234');
    const own = programOf({ phrase: 'project falcon' });
    const overlay = openOverlay({ id: 'x', programId: 'x', program: own.memory, ruleCount: 1, allowed: [] }, program);
    const findings = [
      { ...finding, policy: 'LLM02' },
      { ...finding, start: 4, end: 30, messageId: 1, policy: 'LLM02' },
      { ...finding, start: 0, end: 9, policy: 'LLM01' },
    ] as const;
    expect(contentsOf(keep('redacted', messages, findings, overlay))).toEqual([
      ['a ████ ██████████████ ████████', false],
    ]);
  });

  it('has no secrets of a view, whether a verdict found them or not', () => {
    const hidden = Buffer.from('my key-12345678 and more').toString('base64');
    expect(contentsOf(keep('redacted', user(`k\u200bey-1\u200b234, ${hidden}`), [], undefined))).toEqual([
      [`${'█'.repeat(10)}, ${hidden.slice(0, 4)}${'█'.repeat(16)}${hidden.slice(20)}`, false],
    ]);
  });

  it('hides a secret that the cut would halve', () => {
    const room = limits.storedTextUnitsMax - 'user'.length;
    const text = `${'x'.repeat(room - 10)} key-${'1'.repeat(900)}`;
    const [[content, cut]] = contentsOf(keep('redacted', user(text), [], undefined)) ?? [];
    expect(cut).toBe(true);
    expect(content).toBe(`${'x'.repeat(room - 10)} ${'█'.repeat(9)}`);
  });

  it('is all blocks where a rule finds more than is gathered, of the organization or not', () => {
    const flood = 'key-1234 '.repeat(limits.matchesPerRuleMax + 1);
    const blocks = '█'.repeat(flood.length);
    expect(contentsOf(keep('redacted', user('in peace', flood), [], undefined))).toEqual([
      ['in peace', false],
      [blocks, false],
    ]);
    const own = programOf({ phrase: 'falcon' });
    const overlay = openOverlay({ id: 'x', programId: 'x', program: own.memory, ruleCount: 1, allowed: [] }, program);
    const falcons = 'falcon '.repeat(limits.matchesPerRuleMax + 1);
    expect(contentsOf(keep('redacted', user(falcons), [], overlay))).toEqual([['█'.repeat(falcons.length), false]]);
  });

  it('ends at its bound, never within a character', () => {
    const room = limits.storedTextUnitsMax - 2 * 'user'.length;
    const kept = keep('full', user('x'.repeat(room - 1), '😀😀', 'never'), [], undefined);
    expect(contentsOf(kept)).toEqual([
      ['x'.repeat(room - 1), false],
      ['', true],
    ]);
    const roles = Array.from({ length: 1_000 }, () => ({ role: 'r'.repeat(256), content: '' }));
    const messages = keep('full', roles, [], undefined)?.messages ?? [];
    expect(messages.length).toBe(limits.storedTextUnitsMax / 256);
  });
});
