import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shippedRulesFolder } from '../../src/config.js';
import { compileRules } from '../../src/rules/compile.js';
import { loadRuleset, type Ruleset, readRules } from '../../src/rules/load.js';
import { openProgramCache } from '../../src/rules/program-cache.js';
import { openRuleCache, type RuleCache } from '../../src/rules/rule-cache.js';
import { damages } from './damages.js';
import { packText } from './pack-text.js';

let folder: string;
let rules: string;
let cached: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'merlon-rule-cache-'));
  rules = join(folder, 'rules');
  cached = join(folder, 'cache');
  mkdirSync(join(rules, 'LLM01-x'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Enough patterns to be kept: words, regexes, numbers, one that is anchored, and one that no literal leads to. */
const many = [
  ...Array.from({ length: 495 }, (_, i) => `phrase: "quartz number${i} [rain]"`),
  ...[
    `regex: 'rain\\s[0-9]{3}'`,
    `regex: '^quartz:\\s*[a-z]+'`,
    `regex: '\\b[0-9]{4}-[0-9]{2}\\b'`,
    `regex: '\\b[0-9]{9}\\b'`,
  ],
  ...[`regex: '[a-z]{9}'`],
];
const write = (file: string, patterns: readonly string[], id = 'LLM01-0001') =>
  writeFileSync(join(rules, 'LLM01-x', file), packText(patterns).replace('LLM01-0001', id));
const load = (compilerId = 'build 1'): Ruleset => loadRuleset(rules, openProgramCache(cached, compilerId));
const bytesOf = ({ program }: Pick<Ruleset, 'program'>) => Buffer.from(program.bytes);
const kept = () =>
  readdirSync(folder, { recursive: true }).flatMap((name) => (String(name).endsWith('.rules') ? [String(name)] : []));

/** Patterns that were compiled for want of them. */
function watched(cache: RuleCache): { readonly cache: RuleCache; readonly compiled: string[] } {
  const compiled: string[] = [];
  const watch: RuleCache['compiled'] = (patterns, compile) =>
    cache.compiled(patterns, () => {
      compiled.push(JSON.stringify(patterns[0]));
      return compile();
    });
  return { cache: { ...cache, compiled: watch }, compiled };
}

describe('the cache of compiled rules', () => {
  it('makes the same program, with the same to say of it, of rules that were compiled before', () => {
    write('a.yaml', many);
    write('b.yaml', ['phrase: "two words"', "regex: '(broken'"], 'LLM01-0002');
    const [first, again, alone] = [load(), load(), loadRuleset(rules)];
    expect(kept()).toHaveLength(1);
    for (const each of [again, alone]) {
      expect(bytesOf(each).equals(bytesOf(first))).toBe(true);
      expect(each.diagnostics).toEqual(first.diagnostics);
      expect(each.origins).toEqual(first.origins);
    }
    expect(first.diagnostics.map(({ code }) => code)).toContain('E202');
    expect(first.diagnostics.map(({ code }) => code)).toContain('W501');
  });

  it('compiles what was edited and nothing else', () => {
    write('a.yaml', many);
    write('b.yaml', ['phrase: "two words"'], 'LLM01-0002');
    load();
    write('b.yaml', ['phrase: "three other words"'], 'LLM01-0002');
    const { cache, compiled } = watched(openRuleCache(cached, 'build 1'));
    const { program } = compileRules(readRules(rules), { kept: cache });
    expect(compiled).toEqual(['{"phrase":"three other words"}']);
    expect(bytesOf({ program }).equals(bytesOf(compileRules(readRules(rules))))).toBe(true);
    cache.save();
    const { cache: next, compiled: none } = watched(openRuleCache(cached, 'build 1'));
    compileRules(readRules(rules), { kept: next });
    expect(none, 'the edit was kept').toEqual([]);
  });

  it('tells how many patterns are compiled, of how many', () => {
    write('a.yaml', many);
    write('b.yaml', ['phrase: "two words"'], 'LLM01-0002');
    for (const _ of ['anew', 'from the cache']) {
      const told: [number, number][] = [];
      loadRuleset(rules, openProgramCache(cached, 'build 1'), (done, all) => told.push([done, all]));
      expect(told).toEqual([
        [500, 501],
        [501, 501],
      ]);
    }
  });

  it('forgets what the rules have no more', () => {
    write('a.yaml', many);
    write('b.yaml', ['phrase: "two words"'], 'LLM01-0002');
    load();
    rmSync(join(rules, 'LLM01-x', 'b.yaml'));
    load();
    const { cache, compiled } = watched(openRuleCache(cached, 'build 1'));
    cache.compiled([{ phrase: 'two words' }], () => ({ patterns: [], problems: [] }));
    expect(compiled).toEqual(['{"phrase":"two words"}']);
  });

  it('knows nothing of another build', () => {
    write('a.yaml', many);
    load();
    const { cache, compiled } = watched(openRuleCache(cached, 'build 2'));
    compileRules(readRules(rules), { kept: cache });
    expect(compiled).toHaveLength(1);
  });

  it('knows the rules of a copied folder', () => {
    write('a.yaml', many);
    load();
    const copy = join(folder, 'copy');
    cpSync(rules, copy, { recursive: true });
    writeFileSync(
      join(copy, 'LLM01-x', 'b.yaml'),
      packText(['phrase: "two words"']).replace('LLM01-0001', 'LLM01-0002'),
    );
    const { cache, compiled } = watched(openRuleCache(cached, 'build 1'));
    compileRules(readRules(copy), { kept: cache });
    expect(compiled).toEqual(['{"phrase":"two words"}']);
  });

  it.each(damages)('compiles all anew where the file is %s', (_, damage) => {
    write('a.yaml', many);
    const first = load();
    const file = join(folder, kept()[0]);
    writeFileSync(file, damage(readFileSync(file)));
    expect(bytesOf(load()).equals(bytesOf(first))).toBe(true);
    const { cache, compiled } = watched(openRuleCache(cached, 'build 1'));
    compileRules(readRules(rules), { kept: cache });
    expect(compiled, 'the file is mended').toEqual([]);
  });

  it('keeps nothing of few rules, and no more than four folders', () => {
    write('a.yaml', many.slice(0, 400));
    load();
    expect(kept()).toEqual([]);
    write('a.yaml', many);
    for (let i = 0; i < 6; i++) {
      load(`build ${i}`);
      for (const name of kept()) utimesSync(join(folder, name), new Date(1_000_000 + i), new Date(1_000_000 + i));
    }
    expect(kept()).toHaveLength(4);
  });

  it('goes on without a folder that can be written', () => {
    write('a.yaml', many);
    writeFileSync(cached, 'a file where the folder should be');
    expect(bytesOf(load()).equals(bytesOf(loadRuleset(rules)))).toBe(true);
  });

  it('makes the same program of shipped rules, whatever their patterns are like', { timeout: 120_000 }, () => {
    // A sixth of them, of all policies, because they take long.
    const written = readRules(shippedRulesFolder).filter((_, place) => place % 6 === 0);
    const cache = () => openRuleCache(cached, 'build 1');
    const first = cache();
    const compiled = compileRules(written, { kept: first });
    first.save();
    const { cache: second, compiled: missing } = watched(cache());
    expect(bytesOf(compileRules(written, { kept: second })).equals(bytesOf(compiled))).toBe(true);
    expect(missing).toEqual([]);
    expect(kept()).toHaveLength(1);
  });
});
