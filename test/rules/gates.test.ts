import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { shippedRulesFolder } from '../../src/config.js';
import { formatDiagnostic } from '../../src/rules/diagnostic.js';
import { checkGates, readOrdinaryMessages } from '../../src/rules/gates.js';
import { loadRuleset } from '../../src/rules/load.js';
import { packText } from './pack-text.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function rulesWith(patterns: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'merlon-gates-'));
  folders.push(folder);
  mkdirSync(join(folder, 'LLM01-x'));
  writeFileSync(join(folder, 'LLM01-x', 'a.yaml'), packText(patterns.map((regex) => `regex: '${regex}'`)));
  return folder;
}

describe('readOrdinaryMessages', () => {
  it('names lines that are none', () => {
    const folder = rulesWith(['quartz[0-9]']);
    mkdirSync(join(folder, 'lists'));
    const file = join(folder, 'lists', 'ordinary.jsonl');
    writeFileSync(file, '{"text":"fine"}\nnot JSON\n\n{"text":5}\n');
    const { messages, diagnostics } = readOrdinaryMessages(folder);
    expect(messages).toEqual(['fine']);
    expect(diagnostics.map(formatDiagnostic)).toEqual([
      'lists/ordinary.jsonl:2:1 E102 must be a JSON object with a "text"',
      'lists/ordinary.jsonl:4:1 E102 must be a JSON object with a "text"',
    ]);
    rmSync(file);
    mkdirSync(file);
    expect(readOrdinaryMessages(folder).diagnostics).toMatchObject([{ code: 'E107' }]);
  });
});

describe('checkGates', () => {
  const messages = Array.from({ length: 200 }, (_, i) => (i < 3 ? `rain ${i}` : i === 3 ? 'quartz' : `sunshine ${i}`));

  it('reports a gate that opens on more than one message in a hundred, at its pattern', () => {
    const ruleset = loadRuleset(rulesWith(['quartz[0-9]', 'rain\\s[0-9]', 'quartz rain']));
    expect(checkGates(ruleset, messages).map(formatDiagnostic)).toEqual([
      'LLM01-x/a.yaml:10:9 W503 LLM01-0001: the gate (rain) opens on 1.5 % of ordinary messages',
    ]);
  });

  it('counts a pattern only where all of its gates are seen together', () => {
    const ruleset = loadRuleset(rulesWith(['sunshine[a-z ]{1,9}quartz', 'sunshine [0-9]']));
    const [only, ...more] = checkGates(ruleset, messages);
    expect(more).toEqual([]);
    expect(only).toMatchObject({ code: 'W503', line: 10 });
  });

  it('has ordinary messages to look at beside the shipped rules', () => {
    const shipped = readOrdinaryMessages(shippedRulesFolder);
    expect(shipped.messages.length).toBeGreaterThanOrEqual(100);
    expect(shipped.diagnostics).toEqual([]);
    expect(readOrdinaryMessages('/nonexistent')).toEqual({ messages: [], diagnostics: [] });
  });
});
