import { scanMessages } from '../../dist/engine/judge/judge.js';
import { roleClasses } from '../../dist/engine/program.js';
import { regexSourceOf } from '../../dist/engine/regex/phrase.js';
import { createScanner } from '../../dist/engine/scanner.js';
import { runnerOf } from './measure.mjs';

/*
 * The whole scan with the shipped rules, validators, scores and spans, against the same patterns without the engine.
 * The rivals know neither validators nor one rule's leftmost-longest match: their counts are their own.
 */

/** @returns {import('./measure.mjs').Runner} */
export function merlonFull({ program }, profile) {
  const scanner = createScanner(program);
  return runnerOf('merlon-full', 'verdict', (text) => countFindings(scanner, profile, text));
}

/** What a full scan must find: every regex over every whole text, without automaton, gates or windows. */
export function fullReference({ program }, profile) {
  const scanner = createScanner(program, { prefilter: false });
  return ({ texts }) => {
    const totals = [0];
    for (const text of texts) totals.push(totals[totals.length - 1] + countFindings(scanner, profile, text));
    return (upTo) => ({ verdict: totals[upTo] });
  };
}

/**
 * V8 keeps the machine code of a regex for strings of one byte and of two, some 40 KB each, and ends the process where 512 MB of
 * code do not do.
 */
const loopedMax = 3_000;

/** The same patterns as JavaScript regexes, one after the other: of more than it has room for every so-manieth, to its advantage. */
export function regexpLoopFull(patterns) {
  const step = Math.ceil(patterns.length / loopedMax);
  const looped = patterns.filter((_, place) => place % step === 0);
  const regexes = looped.flatMap(({ source, ignoreCase }) => {
    try {
      return [new RegExp(source, `gu${ignoreCase ? 'i' : ''}`)];
    } catch {
      return [];
    }
  });
  const runner = runnerOf('regexp-loop-full', 'own', (text) => {
    let count = 0;
    for (const regex of regexes) {
      regex.lastIndex = 0;
      for (let match = regex.exec(text); match; match = regex.exec(text)) {
        count++;
        if (match[0] === '') regex.lastIndex++;
      }
    }
    return count;
  });
  return {
    ...runner,
    corpora: ['benign-16k', 'benign-500'],
    ready: { count: patterns.length, leftOut: patterns.length - regexes.length },
  };
}

/** Patterns that a user's message meets under the profile. */
export function patternsOf({ program }, profile) {
  return program.patterns
    .filter(({ rule }) => profile.rules[rule] === 1 && (program.rules[rule].roles & roleClasses.user) !== 0)
    .map((pattern) => ({ ...pattern, source: regexSourceOf(pattern) }));
}

/**
 * RE2's notation in PCRE's, for `vectorscan.c`: a letter for upper and lower case, then the regex. Our Unicode word
 * borders and white space become its ASCII ones, because with start-of-match it refuses hundreds of the patterns as
 * too large else: that makes its work easier than ours.
 */
export function vectorscanPatterns(patterns) {
  return patterns.map(({ source, ignoreCase }) => {
    const translated = source
      .replace(/\(\?:[\^$]\|\[\^\\p\{L\}\\p\{N\}\\p\{M\}_\]\|\[(?:\\p\{Script=\w+\})+\]\)/g, '\\b')
      .replaceAll('[\\s\\v\\u0085\\p{Z}]', '\\s')
      .replaceAll('[^\\s\\v\\u0085\\p{Z}]', '\\S')
      .replace(/\\u\{([0-9A-Fa-f]+)\}|\\u([0-9A-Fa-f]{4})/g, (_, braced, plain) => `\\x{${braced ?? plain}}`)
      .replace(/\\p\{Script=(\w+)\}/g, '\\p{$1}')
      .replaceAll('(?<hit>', '(?:')
      .replaceAll('\\v', '\\x0b');
    return (ignoreCase ? 'i' : '-') + translated;
  });
}

function countFindings(scanner, profile, text) {
  return scanMessages(scanner, profile, [{ role: 'user', content: text }]).findings.length;
}
