import { readEngine } from '../config.js';
import type { Finding, Verdict } from '../domain/finding.js';
import type { Message } from '../domain/message.js';
import { scanMessages } from '../engine/judge/judge.js';
import type { Profile } from '../engine/judge/profile.js';
import { createScanner } from '../engine/scanner.js';
import type { CompiledRules } from '../rules/load.js';
import { readText } from './lines.js';
import { verdictLine } from './scan-jsonl.js';
import { colors, note, print, visible } from './terminal.js';

/** From this length on a scan is announced on a terminal: about a second. */
const longUnits = 2_000_000;

/** `merlon scan FILE…`: exit code 0 clean, 1 flagged. Throws `UsageError` for a file that cannot be read. */
export async function scanFiles(
  paths: readonly string[],
  rules: CompiledRules,
  profile: Profile,
  json: boolean,
): Promise<number> {
  const scanner = createScanner(rules.program, { engine: readEngine() });
  const results: { readonly path: string; readonly message: Message; readonly verdict: Verdict }[] = [];
  for (const path of paths) {
    const message = { role: 'user', content: await readText(path) };
    sayIfLong(path, message.content);
    results.push({ path, message, verdict: scanMessages(scanner, profile, [message]) });
  }
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

/** One text is scanned in one go, of which nothing can be told meanwhile but that it takes some seconds. */
function sayIfLong(path: string, { length }: string): void {
  if (length < longUnits || process.stderr.isTTY !== true) return;
  note(`scanning ${path === '-' ? 'standard input' : path}, ${(length / 1e6).toFixed(1)} million characters …`);
}

/** The text with its matches marked, then what each one is. */
function render(path: string, text: string, verdict: Verdict, rules: CompiledRules): string {
  const name = path === '-' ? 'standard input' : visible(path);
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

function place(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
