import type { Span } from '../../domain/span.js';
import { withoutSparedIn } from './spare.js';

/*
 * Texts about attacks quote them. What stands in Markdown code, in a message whose prose speaks of attacks and of defence
 * as documentation does, is shown and not done: rules that say `spares: [documentation]` let it pass. A payload with two such
 * words beside it is no documentation: that takes sentences, and enough of them that a person reads.
 *
 * Who asks what a piece of code does, or how one is safe from it, quotes it, too: a question of one or two sentences and nothing else.
 */

/** Words of security documentation, by their stems; so many different ones make one of a message. */
const terms =
  /\b(attack|vulnerab|exploit|mitigat|prevent|saniti[sz]|inject|payload|malicious|untrusted|escap(?:e|ing)\b|encod(?:e|ing)\b|owasp|xss|xxe|sqli|ssrf|csrf|cve-|cwe-|security|traversal|prepared statement|parameteri[sz]|remed(?:y|iat)|advisor(?:y|ies)\b|allow-?list|checksum|user input|dompurify|textcontent|defused)/gi;
const termsMin = 2;
/** Units of sentences. */
const proseMin = 80;
const sentenceWordsMin = 6;
/** What a page does not show of its text: comments, tags, and where links lead. */
const unseen = /<!--[\s\S]*?(?:-->|$)|<[^<>]*>|\]\([^()]*\)/g;

const fence = /^ {0,3}(`{3,}|~{3,})/;

/**
 * The matches without those that lie in quoted code of documentation, of rules that spare it. Asked of a text only where there is
 * such a match; linear in the text.
 */
export function withoutQuoted<T extends Span>(
  text: string,
  matches: readonly T[],
  spares: (match: T) => boolean,
): readonly T[] {
  if (!text.includes('`') && !text.includes('~~~')) return matches;
  return withoutSparedIn(matches, spares, () => {
    const quoted = markdownCode(text);
    return quoted.length > 0 && isDocumentation(text, quoted) ? quoted : [];
  });
}

function isDocumentation(text: string, quoted: readonly Span[]): boolean {
  const bounds = [0, ...quoted.flatMap(({ start, end }) => [start, end]), text.length];
  const between = Array.from({ length: bounds.length / 2 }, (_, i) => text.slice(bounds[2 * i], bounds[2 * i + 1]));
  // A word for each piece of code within a sentence.
  const prose = between.join(' code ').replace(unseen, ' ');
  if (isQuestion(prose)) return true;
  const sentences = prose.split(/(?<=[.!?:])\s|\n/).filter(isSentence);
  if (sentences.reduce((units, { length }) => units + length, 0) < proseMin) return false;
  const seen = new Set(
    sentences.flatMap((sentence) => [...sentence.matchAll(terms)].map(([, term]) => term.toLowerCase())),
  );
  return seen.size >= termsMin;
}

/** Units of a question, and its words beside the code. */
const questionMax = 160;
const questionWordsMin = 3;
const asks =
  /^(?:(?:hi|hello|hey)[,!]? )?(?:(?:can|could) (?:you|someone|anyone) |please )?(?:what (?:is|are|was|does|do|did|would|happens)|why (?:is|are|does|do|did|was|would)|how (?:do|does|can|could|should|would|dangerous)|is (?:it|this)|(?:explain|describe|tell me) (?:what|why|how)|do(?:es)? code)\b/i;
const wants =
  /\b(?:run|execute|evaluate|perform|apply|deploy|launch|output|print|write|give|build|make|create|craft|generate|use|bypass|get (?:past|around|it)|inject|hack|break into|instead|then|ignore)\b/i;

/** A question or two in one line about code, by whoever does not want it made, done or used. */
function isQuestion(prose: string): boolean {
  const text = prose.trim();
  if (text.length > questionMax || text.includes('\n') || !asks.test(text) || wants.test(text)) return false;
  const words = wordsOf(text).filter((word) => word !== 'code');
  return words.length >= questionWordsMin && text.split(/(?<=[.!?])\s/).length <= 2;
}

function isSentence(text: string): boolean {
  return wordsOf(text).length >= sentenceWordsMin;
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\p{L}{2,}/gu) ?? [];
}

/** Code in a Markdown text: between fences, the last of which the end of the text closes, and within lines. */
function markdownCode(text: string): readonly Span[] {
  const spans: Span[] = [];
  let open: { readonly start: number; readonly marks: string } | undefined;
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const line = text.slice(start, end);
    const marks = fence.exec(line)?.[1];
    if (open) {
      if (marks?.startsWith(open.marks) && line.trim() === marks) {
        spans.push({ start: open.start, end });
        open = undefined;
      }
    } else if (marks !== undefined) open = { start, marks };
    else pushInlineCode(line, start, spans);
    start = end + 1;
  }
  if (open) spans.push({ start: open.start, end: text.length });
  return spans;
}

/** What stands between two runs of equally many backticks. */
function pushInlineCode(line: string, offset: number, spans: Span[]): void {
  if (!line.includes('`')) return;
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ start: index, length }));
  const nearest = new Map<number, number>();
  const counterparts: (number | undefined)[] = [];
  for (let i = runs.length - 1; i >= 0; i--) {
    counterparts[i] = nearest.get(runs[i].length);
    nearest.set(runs[i].length, i);
  }
  for (let i = 0; i < runs.length; i++) {
    const close = counterparts[i];
    if (close === undefined) continue;
    spans.push({ start: offset + runs[i].start, end: offset + runs[close].start + runs[close].length });
    i = close;
  }
}
