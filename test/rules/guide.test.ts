import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { diagnosticCodes, formatDiagnostic } from '../../src/rules/diagnostic.js';
import { runExamples } from '../../src/rules/examples.js';
import { checkGates, readOrdinaryMessages } from '../../src/rules/gates.js';
import { loadRuleset } from '../../src/rules/load.js';
import { readRuleFiles } from '../../src/rules/read.js';

/** The guide to rules tells the truth. */

const shipped = fileURLToPath(new URL('../../rules', import.meta.url));
const guide = readFileSync(join(shipped, 'README.md'), 'utf8');

it('shows a pack that can be copied beside the shipped ones', () => {
  const [, pack = ''] = /## A pack\n\n```yaml\n(.*?)```/s.exec(guide) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'merlon-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'LLM01-own'));
  writeFileSync(join(folder, 'LLM01-own', 'own.yaml'), pack);
  const ruleset = loadRuleset(folder);
  const found = [
    ...ruleset.diagnostics,
    ...runExamples(ruleset.program, ruleset.rules).diagnostics,
    ...checkGates(ruleset, readOrdinaryMessages(shipped).messages),
  ];
  expect(found.map(formatDiagnostic)).toEqual([]);
  const [{ source }] = ruleset.rules;
  expect(ruleset.rules).toHaveLength(1);
  const { packs, retired } = readRuleFiles(shipped);
  for (const { file, text } of [...packs, ...(retired ? [retired] : [])]) expect(text, file).not.toContain(source.id);
});

it('explains every code of a diagnostic, in one line each', () => {
  const rows = [...guide.matchAll(/^\| `([EW]\d+)` \| (.*) \|$/gm)].map(([, code, text]) => [code, text]);
  expect(rows).toEqual(Object.entries(diagnosticCodes));
});
