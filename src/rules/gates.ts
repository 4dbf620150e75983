import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeUtf8 } from '../domain/utf8.js';
import { gateOf, patternOf } from '../engine/outputs.js';
import { allRoles, type Program } from '../engine/program.js';
import { createScanner } from '../engine/scanner.js';
import type { Diagnostic } from './diagnostic.js';
import type { Ruleset } from './load.js';
import { notUtf8, unreadable } from './read.js';

/** Share of ordinary messages on which a gate may open before it is reported. */
const openingsMax = 0.01;

/** The ordinary messages beside the rules (`lists/ordinary.jsonl`, a `text` each); none where there is no such file. */
export function readOrdinaryMessages(folder: string): {
  readonly messages: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const file = 'lists/ordinary.jsonl';
  const diagnostics: Diagnostic[] = [];
  const report = (line: number, code: Diagnostic['code'], message: string): [] => {
    diagnostics.push({ file, line, column: 1, code, message });
    return [];
  };
  const messages = readLines(join(folder, file), file, diagnostics).flatMap((line, index) => {
    if (line.trim() === '') return [];
    const text = textOf(line);
    return text === undefined ? report(index + 1, 'E102', 'must be a JSON object with a "text"') : [text];
  });
  return { messages, diagnostics };
}

function readLines(path: string, file: string, diagnostics: Diagnostic[]): readonly string[] {
  if (!existsSync(path)) return [];
  try {
    const text = decodeUtf8(readFileSync(path));
    if (typeof text === 'string') return text.split('\n');
    diagnostics.push(notUtf8(file, text));
  } catch (error) {
    diagnostics.push(unreadable(file, error));
  }
  return [];
}

function textOf(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const text: unknown = typeof value === 'object' && value !== null && 'text' in value ? value.text : undefined;
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reports patterns whose gate opens on more than 1 % of ordinary messages: each opening costs a run of the regex, and
 * a few poor gates make most of a scan's cost.
 */
export function checkGates(
  { program, rules, origins }: Pick<Ruleset, 'program' | 'rules' | 'origins'>,
  messages: readonly string[],
): readonly Diagnostic[] {
  const scanner = createScanner(program);
  const everyRule = new Uint8Array(program.rules.length).fill(1);
  const openings = new Uint32Array(program.patterns.length);
  for (const text of messages)
    for (const pattern of scanner.openPatterns(text, allRoles, everyRule)) openings[pattern]++;
  return origins.flatMap(({ rule, pattern }, index) => {
    const share = openings[index] / Math.max(1, messages.length);
    if (share <= openingsMax) return [];
    const { pack, path, source } = rules[rule];
    const shown = literalsOf(program, index)
      .map((set) =>
        set.length === 0
          ? 'a number or the start of the text'
          : `${set.slice(0, 4).join(', ')}${set.length > 4 ? ', …' : ''}`,
      )
      .join(' and ');
    const message = `${source.id}: the gate (${shown}) opens on ${(share * 100).toFixed(1)} % of ordinary messages`;
    return [pack.diagnostic('W503', message, [...path, 'patterns', pattern])];
  });
}

/** The needles of each of a pattern's gates. */
function literalsOf({ patterns, needles, outputs }: Program, pattern: number): readonly (readonly string[])[] {
  const gates: string[][] = Array.from({ length: patterns[pattern].gateCount }, () => []);
  needles.forEach((text, needle) => {
    for (let output = outputs.starts[needle]; output < outputs.starts[needle + 1]; output++) {
      if (patternOf(outputs, output) === pattern) gates[gateOf(outputs, output)].push(text);
    }
  });
  return gates;
}
