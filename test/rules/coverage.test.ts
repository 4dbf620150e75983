import { describe, expect, it } from 'vitest';
import { rules } from '../shipped-rules.js';

const isState = (name: string) => /^[A-Z]{2}$/.test(name);

/** The rule that finds a value by the name of its service beside it, whatever its shape. */
const byNameAlone = 'LLM02-0032';

function namesIn(wanted: (id: string) => boolean): readonly string[] {
  return rules
    .filter(({ policy, source }) => policy === 'LLM02' && wanted(source.id))
    .flatMap(({ source }) => source.patterns ?? [])
    .flatMap((pattern) => ('regex' in pattern ? (pattern.of ?? []) : []));
}

/** Spelling apart, one service is one service: `New Relic`, `newrelic` and `new-relic` are the same. */
function servicesIn(wanted: (id: string) => boolean): ReadonlySet<string> {
  const services = namesIn(wanted).filter((name) => !isState(name));
  return new Set(services.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, '')));
}

describe('what LLM02 covers', () => {
  it('knows the credentials of at least 150 services by their own shape or setting', () => {
    expect(servicesIn((id) => id !== byNameAlone).size).toBeGreaterThanOrEqual(150);
  });

  it('knows 300 services with those that it finds by name', () => {
    expect(servicesIn(() => true).size).toBeGreaterThanOrEqual(300);
  });

  it('names the numbers of at least 30 states, by their ISO 3166 codes', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    const states = new Set(namesIn(() => true).filter(isState));
    expect([...states].filter((code) => names.of(code) === undefined)).toEqual([]);
    expect(states.size).toBeGreaterThanOrEqual(30);
  });
});
