import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { labelledFiles } from '../../src/commands/eval-input.js';
import { formatDiagnostic } from '../../src/rules/diagnostic.js';
import { filesBelow } from '../../src/rules/files-below.js';
import { loadRuleset } from '../../src/rules/load.js';
import { packText } from './pack-text.js';

let folder: string;
const at = (...names: string[]) => join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'merlon-files-below-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(...names: string[]): void {
  mkdirSync(at(...names.slice(0, -1)), { recursive: true });
  writeFileSync(at(...names), packText(["regex: 'quartz[0-9]'"]));
}

/** Names of what is found, and of what cannot be read. */
function look(top = 'top'): readonly string[] {
  const failed: string[] = [];
  const found = filesBelow(at(top), (path) => failed.push(`${relative(at(top), path)} failed`));
  return [...found.map((path) => relative(at(top), path)), ...failed];
}

describe('filesBelow', () => {
  it('follows links to files and folders', () => {
    write('top', 'a', 'own.yaml');
    write('elsewhere', 'one.yaml');
    write('elsewhere', 'deep', 'two.yaml');
    symlinkSync(at('elsewhere', 'one.yaml'), at('top', 'a', 'linked.yaml'));
    symlinkSync(at('elsewhere'), at('top', 'b'));
    symlinkSync(at('top'), at('whole'));
    const all = ['a/linked.yaml', 'a/own.yaml', 'b/deep/two.yaml', 'b/one.yaml'];
    expect(look()).toEqual(all);
    expect(look('whole')).toEqual(all);
  });

  it('comes to an end where links lead in a circle, and keeps folders under their own names', () => {
    write('top', 'profiles', 'a.yaml');
    symlinkSync(at('top'), at('top', 'profiles', 'up'));
    symlinkSync('profiles', at('top', 'a-link'));
    symlinkSync('self', at('top', 'self'));
    expect(look()).toEqual(['profiles/a.yaml', 'self failed']);
  });

  it('reads what Kubernetes mounts once', () => {
    write('top', '..2026_11_24', 'a.yaml');
    symlinkSync('..2026_11_24', at('top', '..data'));
    symlinkSync('..data/a.yaml', at('top', 'a.yaml'));
    symlinkSync('nobody@nowhere.1', at('top', '.#a.yaml'));
    expect(look()).toEqual(['a.yaml']);
  });

  it('passes over what a repository holds beside: a folder under git loads', () => {
    write('.top', 'LLM01-x', 'a.yaml');
    write('.top', 'LLM01-x', '.a.yaml.swp');
    write('.top', '.github', 'workflows', 'ci.yml');
    write('.top', '.pre-commit-config.yaml');
    write('.top', 'node_modules', 'linter', 'config.yaml');
    symlinkSync(at('nowhere'), at('.top', '.linked'));
    expect(look('.top')).toEqual(['LLM01-x/a.yaml']);
    expect(loadRuleset(at('.top')).diagnostics).toEqual([]);
  });

  it('hands over a link that leads nowhere: a diagnostic of rules, an error of labelled data', () => {
    write('top', 'LLM01-x', 'a.yaml');
    symlinkSync(at('nowhere'), at('top', 'LLM01-x', 'b.yaml'));
    expect(look()).toEqual(['LLM01-x/a.yaml', 'LLM01-x/b.yaml failed']);
    const { rules, diagnostics } = loadRuleset(at('top'));
    expect(rules).toHaveLength(1);
    expect(diagnostics.map(formatDiagnostic)).toEqual(['LLM01-x/b.yaml:1:1 E107 cannot be read (ENOENT)']);
    expect(() => labelledFiles([at('top')])).toThrow(/^--data: .*b\.yaml cannot be read/);
    expect(loadRuleset(at('missing')).diagnostics).toMatchObject([{ file: at('missing'), code: 'E107' }]);
  });
});
