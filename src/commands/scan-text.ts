import { readFileSync } from 'node:fs';
import { readEngine } from '../config.js';
import type { Finding, Verdict } from '../domain/finding.js';
import { scanMessages } from '../engine/judge/judge.js';
import type { Profile } from '../engine/judge/profile.js';
import { createScanner } from '../engine/scanner.js';
import type { CompiledRules } from '../rules/load.js';
import { verdictLine } from './scan-jsonl.js';
import { colors, print, unreadable } from './terminal.js';

/** `merlon scan FILE…`: exit code 0 clean, 1 flagged. Throws `UsageError` for a file that cannot be read. */
export function scanFiles(paths: readonly string[], rules: CompiledRules, profile: Profile, json: boolean): number {
  const scanner = createScanner(rules.program, { engine: readEngine() });
  const results = paths.map((path) => {
    const message = { role: 'user', content: readText(path) };
    return { path, message, verdict: scanMessages(scanner, profile, [message]) };
  });
  if (json) {
    print(
      JSON.stringify(
        results.map(({ path, message, verdict }) => verdictLine(path, verdict, [message])),
        null,
        2,
      ),
    );
  } else {
    for (const { path, message, verdict } of results) print(render(path, message.content, verdict, rules));
  }
  return results.some(({ verdict }) => verdict.flagged) ? 1 : 0;
}

function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The text with its matches marked, then what each one is. */
function render(path: string, text: string, verdict: Verdict, rules: CompiledRules): string {
  const name = path === '-' ? 'standard input' : path;
  const scores = Object.entries(verdict.scores).map(([code, score]) => `${code} ${score}`);
  const outcome = verdict.flagged ? colors.red('flagged') : colors.green('clean');
  const head = `${colors.bold(name)}: ${outcome}${scores.length > 0 ? `  (score: ${scores.join(', ')})` : ''}`;
  if (verdict.findings.length === 0) return head;
  const titles = new Map(rules.program.rules.map(({ id, title }) => [id, title]));
  const lines = verdict.findings.map((finding) => {
    const { line, column } = place(text, finding.start);
    const detectors = finding.labels.map((label) => `${finding.policy}:${label}`).join(', ');
    const why = finding.ruleIds.map((id) => `${id} ${titles.get(id) ?? ''}`).join('; ');
    return `  ${line}:${column}  ${colors.yellow(detectors)}  ${finding.severity}  ${why}`;
  });
  return `${head}\n\n${mark(text, verdict.findings)}\n\n${lines.join('\n')}${verdict.truncated ? '\n  (more matches were cut off)' : ''}`;
}

/** Sets `[[…]]` (or inverse video on a terminal) around the parts of the text that matched. */
function mark(text: string, findings: readonly Finding[]): string {
  let marked = '';
  let at = 0;
  for (const { start, end } of findings) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    const hit = visible(text.slice(from, end));
    marked += visible(text.slice(at, from)) + (colors.isColorSupported ? colors.inverse(hit) : `[[${hit}]]`);
    at = end;
  }
  return marked + visible(text.slice(at));
}

/** Foreign text never steers the terminal: control and bidi characters other than tab and line feed are spelt out. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function place(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
