import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Rule files of one rule, by whose id an answer tells which state of them it comes from. */
export interface OneRule {
  /** The file of the rule. */
  readonly packFile: string;
  readonly profilesFolder: string;
  /** Settings of a service that loads them, and waits where a busy machine would make others refuse: nothing here is about overload. */
  readonly env: Readonly<Record<string, string>>;
  writePack(id: string, phrase?: string): void;
  remove(): void;
}

/** Makes them in a folder of their own, with the rule LLM01-0001. */
export function makeOneRule(): OneRule {
  const folder = mkdtempSync(join(tmpdir(), 'merlon-one-rule-'));
  const rulesFolder = join(folder, 'rules');
  const packFile = join(rulesFolder, 'LLM01-test', 'words.yaml');
  mkdirSync(join(rulesFolder, 'LLM01-test'), { recursive: true });
  const profilesFolder = join(rulesFolder, 'profiles');
  mkdirSync(profilesFolder);
  const policies = '  LLM01: { mode: enforce, threshold: 0.5 }\n  LLM02: { mode: enforce, threshold: 0.5 }\n';
  writeFileSync(join(profilesFolder, 'default.yaml'), `id: default\ntitle: Test\npolicies:\n${policies}`);
  const writePack = (id: string, phrase = 'two words'): void =>
    writeFileSync(
      packFile,
      `policy: LLM01
rules:
  - id: ${id}
    label: words
    title: Words
    severity: high
    score: 0.9
    patterns:
      - phrase: ${phrase}
    why: because
    misses: much
    references: [https://example.org/]
    examples: { match: ["${phrase}", "my ${phrase}"], clean: [c, d], near: [e] }
`,
    );
  writePack('LLM01-0001');
  const env = { MERLON_RULES: rulesFolder, MERLON_CACHE: join(folder, 'cache'), MERLON_QUEUE_MS: '10000' };
  return { packFile, profilesFolder, env, writePack, remove: () => rmSync(folder, { recursive: true }) };
}
