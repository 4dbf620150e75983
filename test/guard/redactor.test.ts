import { describe, expect, it } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { scanMessages } from '../../src/engine/judge/judge.js';
import type { Profile } from '../../src/engine/judge/profile.js';
import { createScanner } from '../../src/engine/scanner.js';
import { createRedactor, hasNoSecrets } from '../../src/guard/redactor.js';
import { textOf } from '../../src/rules/examples.js';
import { loadShippedRules, rules } from '../shipped-rules.js';

const { program, profiles } = loadShippedRules();
const scanner = createScanner(program);
const redact = createRedactor(scanner);
const texts = rules.flatMap(({ source }) => [...source.examples.match, ...source.examples.near].map(textOf));

function isFree(profile: Profile, role: string, content: string): boolean {
  const messages = [{ role, content }];
  return hasNoSecrets(program, profile, messages, scanMessages(scanner, profile, messages));
}

function profileOf(id: string): Profile {
  const profile = profiles.find((each) => each.id === id);
  if (!profile) throw new Error(`no profile ${id}`);
  return profile;
}

describe('what is shown', () => {
  it('is nothing where a rule finds more than is gathered', () => {
    const mails = Array.from({ length: limits.matchesPerRuleMax + 300 }, (_, at) => `m${at}@brook-mill.net`);
    expect(redact(mails.slice(0, 3).join(' '), 100)).toBe('[redacted] [redacted] [redacted]');
    expect(redact(mails.join(' '), 100)).toBe('[redacted]');
  });
});

describe('what is written otherwise', () => {
  const card = '4111 1111 1111 1111';
  const token = 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5';
  it.each([
    ['zero width', [...card].join('\u200b')],
    ['full width', card.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))],
    ['percent', card.replaceAll(' ', '%20')],
    ['entities', token.replaceAll('_', '&#95;')],
    ['tags', [...token].map((unit) => String.fromCodePoint(0xe0000 + unit.charCodeAt(0))).join('')],
    // What is encoded with it stays.
    ['base64', Buffer.from(`token ${token}`).toString('base64')],
    ['hex', Buffer.from(`token ${token}`).toString('hex')],
  ])('is not shown: %s', (_, secret) => {
    const text = `pay with ${secret} now`;
    const shown = redact(text, text.length);
    expect(shown).toMatch(/^pay with (dG9rZW4g|746f6b656e20)?(\[redacted\])+ now$/);
  });
});

describe('a scan that found no secrets', () => {
  it.each(['default', 'strict', 'observe'])('says so of nothing that would be redacted, profile %s', (id) => {
    const profile = profileOf(id);
    const free = { user: 0, assistant: 0, system: 0 };
    for (const role of ['user', 'assistant', 'system'] as const) {
      for (const text of texts) {
        if (!isFree(profile, role, text)) continue;
        free[role]++;
        expect(redact(text, text.length), text).toBe(text);
      }
    }
    expect(free.user).toBeGreaterThan(texts.length / 2);
    expect(free.assistant).toBeGreaterThan(texts.length / 2);
    expect(free.system, 'not all rules look at system messages').toBe(0);
  });

  it('says nothing where a rule of LLM02 is off', () => {
    const profile = profileOf('default');
    const rule = program.rules.findIndex(({ policy }) => policy === 'LLM02');
    const without = { ...profile, rules: profile.rules.map((on, index) => (index === rule ? 0 : on)) };
    expect(isFree(profile, 'user', 'Good morning.')).toBe(true);
    expect(isFree(without, 'user', 'Good morning.')).toBe(false);
  });

  it('says nothing where not all was gathered', () => {
    const profile = profileOf('default');
    const messages = [{ role: 'user', content: 'Good morning.' }];
    const verdict = scanMessages(scanner, profile, messages);
    expect(hasNoSecrets(program, profile, messages, { ...verdict, truncated: true })).toBe(false);
  });
});
