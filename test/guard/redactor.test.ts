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
