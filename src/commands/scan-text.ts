import { readEngine } from '../config.js';
import type { Finding, Verdict } from '../domain/finding.js';
import type { Message } from '../domain/message.js';
import { scanMessages } from '../engine/judge/judge.js';
import type { Profile } from '../engine/judge/profile.js';
import { createScanner, type Scanner } from '../engine/scanner.js';
import type { CompiledRules } from '../rules/load.js';
import { readText } from './lines.js';
import { type Progress, startProgress } from './progress.js';
import { verdictLine } from './scan-jsonl.js';
import { colors, note, print, UsageError, visible } from './terminal.js';

/** From this length on a scan is announced on a terminal: about a second. */
const longUnits = 2_000_000;

/** What a scan of one text needs. */
interface Scan {
  readonly rules: CompiledRules;
  readonly profile: Profile;
  readonly scanner: Scanner;
}

/**
 * `merlon scan FILE…`: exit code 0 clean, 1 flagged. For people each result is printed as it comes; a file that cannot be read
 * is told, the others are scanned, and the exit code is 2. The JSON is one answer for all files: there such a file is a `UsageError`,
 * and nothing is printed. One text is in memory at a time.
 */
export async function scanFiles(
  paths: readonly string[],
  rules: CompiledRules,
  profile: Profile,
  json: boolean,
): Promise<number> {
  const scan = { rules, profile, scanner: createScanner(rules.program, { engine: readEngine() }) };
  return json ? scanForPrograms(paths, scan) : scanForPeople(paths, scan);
}

async function scanForPeople(paths: readonly string[], scan: Scan): Promise<number> {
  // On a terminal the results themselves tell how far it is, and a bar would stand between them.
  const progress = progressOf(paths, process.stdout.isTTY === true);
  let isFlagged = false;
  let isUnread = false;
  try {
    for (const [done, path] of paths.entries()) {
      progress?.advance(done);
      try {
        const { message, verdict } = await scanFile(path, scan, progress);
        print(render(path, message.content, verdict, scan.rules));
        isFlagged ||= verdict.flagged;
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        note(error.message);
        isUnread = true;
      }
    }
  } finally {
    progress?.stop();
  }
  if (isUnread) return 2;
  return isFlagged ? 1 : 0;
}

async function scanForPrograms(paths: readonly string[], scan: Scan): Promise<number> {
  const progress = progressOf(paths, false);
  // As text: the parts of a text that matched would each hold on to the whole of it.
  const results: string[] = [];
  let isFlagged = false;
  try {
    for (const [done, path] of paths.entries()) {
      progress?.advance(done);
      const { message, verdict } = await scanFile(path, scan, progress);
      results.push(JSON.stringify([verdictLine(path, verdict, [message])], null, 2).slice(2, -2));
      isFlagged ||= verdict.flagged;
    }
  } finally {
    progress?.stop();
  }
  print(`[\n${results.join(',\n')}\n]`);
  return isFlagged ? 1 : 0;
}

/** A bar over files where there are several. */
function progressOf(paths: readonly string[], isToldOtherwise: boolean): Progress | undefined {
  return paths.length > 1 && !isToldOtherwise ? startProgress('scanning', paths.length) : undefined;
}

/** Throws `UsageError` where the file cannot be read. */
async function scanFile(
  path: string,
  { scanner, profile }: Scan,
  progress: Progress | undefined,
): Promise<{ readonly message: Message; readonly verdict: Verdict }> {
  const message = { role: 'user', content: await readText(path) };
  if (!progress) sayIfLong(path, message.content);
  return { message, verdict: scanMessages(scanner, profile, [message]) };
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
  const placeOf = placesIn(text);
  const lines = verdict.findings.map((finding) => {
    const { line, column } = placeOf(finding.start);
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

/**
 * Lines and columns of offsets, both from 1. Offsets come in ascending order, so that line feeds are counted once: there may be ten
 * thousand findings in a text of 512 MB.
 */
function placesIn(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  let lineEnd = text.indexOf('\n');
  return (offset) => {
    while (lineEnd >= 0 && lineEnd < offset) {
      line++;
      lineStart = lineEnd + 1;
      lineEnd = text.indexOf('\n', lineStart);
    }
    return { line, column: offset - lineStart + 1 };
  };
}
