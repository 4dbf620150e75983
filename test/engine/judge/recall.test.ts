import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roleClassOf } from '../../../src/domain/role.js';
import { scanMessages } from '../../../src/engine/judge/judge.js';
import { compileProfile } from '../../../src/engine/judge/profile.js';
import { createRecallParts, openRecall, type Recall } from '../../../src/engine/judge/recall.js';
import { roleClasses } from '../../../src/engine/program.js';
import { createScanner } from '../../../src/engine/scanner.js';
import type { FoundMatches } from '../../../src/engine/view/match-views.js';
import { matchViews } from '../../../src/engine/view/match-views.js';
import { programOf } from '../program-of.js';

const clean: FoundMatches = { list: [], truncated: false };
const user = 1;

/** A recall of so many messages, and how often it had to match. */
function recallOf(messages: number) {
  const recall = openRecall(createRecallParts(messages));
  let matched = 0;
  const ask = (text: string, { scope = 'o v', role = user, found = clean } = {}) => {
    const matcher = recall.over(scope, () => {
      matched++;
      return found;
    });
    return { found: matcher.match(text, role, 0), recalled: matcher.recalled };
  };
  const knows = (text: string) => recall.over('o v', () => clean).knows(text, user, 0);
  return { ask, matched: () => matched, knows };
}

describe('what was clean before', () => {
  it('is not matched again', () => {
    const { ask, matched, knows } = recallOf(16);
    expect(knows('hello')).toBe(false);
    expect(ask('hello')).toEqual({ found: clean, recalled: 0 });
    expect(ask('hello')).toEqual({ found: clean, recalled: 1 });
    expect(knows('hello')).toBe(true);
    expect(matched()).toBe(1);
  });

  it.each([
    ['another organization, or other rules', { scope: 'p v' }],
    ['another role', { role: 2 }],
  ])('is matched for %s', (_, asked) => {
    const { ask, matched } = recallOf(16);
    ask('hello');
    expect(ask('hello', asked).recalled).toBe(0);
    expect(matched()).toBe(2);
  });

  it.each([
    ['something was found', { list: [{ rule: 0, start: 0, end: 2 }], truncated: false }],
    ['a limit cut something off', { list: [], truncated: true }],
  ])('is not what is matched while %s', (_, found) => {
    const { ask, matched } = recallOf(16);
    expect(ask('hello', { found }).found).toBe(found);
    expect(ask('hello', { found }).found).toBe(found);
    expect(matched()).toBe(2);
  });

  it('never goes for another text with half of a character, which UTF-8 cannot tell apart', () => {
    const { ask, matched } = recallOf(16);
    for (const text of ['a\ufffdb', 'a\ud800b', 'a\udc00b', 'a\ud800b']) expect(ask(text).recalled).toBe(0);
    expect(matched()).toBe(4);
    expect(ask('a\ufffdb').recalled).toBe(1);
  });

  it('is forgotten in the order in which it was last seen, where there is no room', () => {
    const { ask } = recallOf(4);
    for (const text of ['one', 'two', 'three', 'four']) ask(text);
    expect(ask('one').recalled).toBe(1);
    ask('five');
    expect(['one', 'three', 'four', 'five'].map((text) => ask(text).recalled)).toEqual([1, 1, 1, 1]);
    expect(ask('two').recalled).toBe(0);
  });

  it('is known to every thread that opens the same memory, and to no other memory', () => {
    const parts = createRecallParts(16);
    openRecall(parts)
      .over('o v', () => clean)
      .match('hello', user, 0);
    const knows = (opened: Recall) => opened.over('o v', () => clean).knows('hello', user, 0);
    expect(knows(openRecall(structuredClone(parts)))).toBe(true);
    expect(knows(openRecall({ ...parts, secret: 'another' }))).toBe(false);
  });

  it('takes the room that was asked for', () => {
    for (const [messages, bytes] of [
      [1, 64],
      [5, 128],
      [1_000, 16 * 1_024],
      [262_144, 4 * 1024 * 1024],
    ]) {
      expect(createRecallParts(messages).table.byteLength).toBe(bytes);
    }
  });
});

it('changes no verdict, on any conversation, in a memory that is much too small', () => {
  const program = programOf([{ phrase: 'two words' }, { phrase: 'other thing' }]);
  const profile = compileProfile(
    { id: 'd', title: 'D', policies: { LLM01: { mode: 'enforce', threshold: 0.5 } } },
    program,
  );
  const scanner = createScanner(program);
  const recall = openRecall(createRecallParts(8));
  const part = fc.constantFrom('two words', 'two', 'words', 'other', 'thing', 'dHdvIHdvcmRz', 'hello', '\ud800');
  const message = fc.record({
    role: fc.constantFrom('user', 'system', 'tool'),
    content: fc.array(part, { maxLength: 3 }).map((parts) => parts.join(' ')),
  });
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 12 }), (messages) => {
      const recalling = recall.over('o v', (text, role) => matchViews(scanner, text, role, profile.rules));
      // Of some the name was reckoned before.
      for (const [id, { role, content }] of messages.entries()) {
        if (id % 2 === 0) recalling.knows(content, roleClasses[roleClassOf(role)], id);
      }
      expect(scanMessages(scanner, profile, messages, undefined, recalling.match)).toEqual(
        scanMessages(scanner, profile, messages),
      );
    }),
  );
});
