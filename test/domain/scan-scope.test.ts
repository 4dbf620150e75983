import { describe, expect, it } from 'vitest';
import { firstScanned, withoutUnscanned } from '../../src/domain/scan-scope.js';

/** A conversation in short: `a` for the assistant, `u` user, `t` tool, `s` system, `d` developer; `-` without text. */
function conversation(roles: string) {
  const names: Readonly<Record<string, string>> = { s: 'system', u: 'user', a: 'assistant', t: 'tool', d: 'developer' };
  return [...roles.matchAll(/(\w)(-?)/g)].map(([, role, blank]) => ({
    role: names[role] ?? role,
    content: blank === '-' ? ' \n' : `text of ${role}`,
  }));
}

describe('the latest turn', () => {
  it.each([
    ['u', 0, 'a lone message'],
    ['suu', 0, 'no answer yet: everything'],
    ['sua', 2, 'an answer at the end: it alone'],
    ['suaa', 2, 'several answers at the end: they alone'],
    ['a', 0, 'nothing but an answer'],
    ['suau', 3, 'what came after the last answer'],
    ['suauat', 5, 'a result of a tool'],
    ['sua utd', 3, 'the user with all that is behind'],
    ['uau-', 2, 'a message of the user without text is one all the same'],
    ['uaua-', 2, 'an answer without text at the end holds a place only'],
    ['uaa-a-', 1, 'and behind an answer as well'],
    ['ua-u', 2, 'further up it is an answer'],
    ['a-', 0, 'nothing at all to scan'],
  ])('%s begins at %i: %s', (roles, first) => {
    const messages = conversation(roles);
    expect(firstScanned('latest_turn', messages)).toBe(first);
    expect(firstScanned('all', messages)).toBe(0);
    const scanned = withoutUnscanned(messages, first);
    expect(firstScanned('latest_turn', scanned)).toBe(first);
    expect(scanned.map(({ role }) => role)).toEqual(messages.map(({ role }) => role));
    expect(scanned.findIndex(({ content }) => content !== '')).toBe(first);
  });

  it.each(['Assistant', 'ASSISTANT', 'model'])('knows the assistant as %s, as rules do', (role) => {
    const [question, answer, next] = conversation('uau');
    expect(firstScanned('latest_turn', [question, { ...answer, role }, next])).toBe(2);
  });
});
