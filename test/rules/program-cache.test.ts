import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allRoles } from '../../src/engine/program.js';
import { createScanner } from '../../src/engine/scanner.js';
import { findCompiledRules, loadCompiledRules } from '../../src/rules/load.js';
import { openProgramCache } from '../../src/rules/program-cache.js';
import { modelOf } from '../engine/learned/model-of.js';
import { damages } from './damages.js';
import { packText } from './pack-text.js';

const pack = (phrase: string) => packText([`phrase: "${phrase}"`]);
const profile = 'id: default\ntitle: Test\npolicies:\n  LLM01: { mode: enforce, threshold: 0.5 }\n';

let folder: string;
let rules: string;
let cached: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'merlon-cache-'));
  rules = join(folder, 'rules');
  cached = join(folder, 'cache');
  mkdirSync(join(rules, 'LLM01-x'), { recursive: true });
  mkdirSync(join(rules, 'profiles'));
  writeFileSync(join(rules, 'profiles', 'default.yaml'), profile);
  writeFileSync(join(rules, 'LLM01-x', 'a.yaml'), pack('two words'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const files = () => readdirSync(cached).map((name) => join(cached, name));
const load = (compilerId = 'build 1') => loadCompiledRules(rules, openProgramCache(cached, compilerId));

function flags(text: string, compilerId?: string): boolean {
  const { program } = load(compilerId);
  return createScanner(program).match(text, allRoles, Uint8Array.of(1)).list.length > 0;
}

describe('the cache of compiled programs', () => {
  it('opens what was compiled before instead of compiling', () => {
    const first = load();
    const [file] = files();
    // Marked, so that only a program that comes from this very file can bear the mark.
    const bytes = readFileSync(file);
    const marked = openProgramCache(cached, 'build 1');
    expect(marked.find([{ file: 'LLM01-x/a.yaml', bytes: Buffer.from(pack('two words')) }])?.hash).toBe(
      first.program.hash,
    );
    const written = statSync(file).mtimeMs;
    expect(flags('two words')).toBe(true);
    expect(statSync(file).mtimeMs, 'it was not written again').toBe(written);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it.each(damages)('compiles anew where the file is %s', (_, damage) => {
    load();
    const [file] = files();
    const sound = readFileSync(file);
    writeFileSync(file, damage(Buffer.from(sound)));
    expect(flags('two words')).toBe(true);
    expect(readFileSync(file).equals(sound), 'and mends the file').toBe(true);
  });

  it.each(damages)('finds nothing on another thread where the file is %s', async (_, damage) => {
    const cache = openProgramCache(cached, 'build 1');
    expect(await findCompiledRules(rules, cache), 'not compiled yet').toBeUndefined();
    const { program } = load();
    const [file] = files();
    const found = await findCompiledRules(rules, cache);
    expect(Buffer.compare(found?.program.bytes ?? Buffer.of(), program.bytes)).toBe(0);
    expect(found?.profiles).toEqual(load().profiles);
    writeFileSync(file, damage(readFileSync(file)));
    expect(await findCompiledRules(rules, cache)).toBeUndefined();
  });

  it('knows other rules, and another build of the compiler, by other files', () => {
    load();
    writeFileSync(join(rules, 'LLM01-x', 'a.yaml'), pack('other thing'));
    expect(flags('two words')).toBe(false);
    expect(flags('other thing')).toBe(true);
    expect(flags('other thing', 'build 2')).toBe(true);
    expect(files()).toHaveLength(3);
  });

  it('knows other models by other files, and opens them with the program', () => {
    const nameOf = () => load().program.models.map(({ name, model }) => [name, model.classes.length]);
    expect(nameOf()).toEqual([]);
    mkdirSync(join(rules, 'models'));
    writeFileSync(join(rules, 'models', 'a.model'), modelOf({ texts: ['some words'] }));
    expect(nameOf()).toEqual([['a', 0]]);
    expect(nameOf(), 'from the cache').toEqual([['a', 0]]);
    writeFileSync(join(rules, 'models', 'a.model'), modelOf({ texts: ['some words'], classes: { x: ['words'] } }));
    const { hash } = load().program;
    expect(nameOf()).toEqual([['a', 1]]);
    expect(files()).toHaveLength(3);
    writeFileSync(join(rules, 'models', 'a.model'), modelOf({ texts: ['other words'] }));
    expect(load().program.hash).not.toBe(hash);
  });

  it('keeps nothing of rules beside a damaged model', () => {
    mkdirSync(join(rules, 'models'));
    writeFileSync(join(rules, 'models', 'a.model'), 'damaged');
    expect(() => load()).toThrowError(/E601/);
    expect(() => files()).toThrowError(/ENOENT/);
  });

  it('reads profiles anew each time: they are no part of the program', () => {
    load();
    writeFileSync(join(rules, 'profiles', 'default.yaml'), profile.replace('enforce', 'monitor'));
    expect(load().profiles[0].settings[0].mode).toBe('monitor');
    expect(files()).toHaveLength(1);
  });

  it('keeps nothing of rules with errors', () => {
    writeFileSync(join(rules, 'LLM01-x', 'a.yaml'), pack('(broken'));
    expect(() => load()).toThrowError(/E201/);
    expect(() => files()).toThrowError(/ENOENT/);
  });

  it('keeps the eight newest', () => {
    for (let i = 0; i < 10; i++) {
      load(`build ${i}`);
      const [newest] = files().sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
      utimesSync(newest, new Date(1_000_000 + i * 1_000), new Date(1_000_000 + i * 1_000));
    }
    expect(files()).toHaveLength(8);
  });

  it('goes on without a folder that can be written', () => {
    writeFileSync(cached, 'a file where the folder should be');
    expect(flags('two words')).toBe(true);
  });
});
