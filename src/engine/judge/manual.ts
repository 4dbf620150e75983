import type { Span } from '../../domain/span.js';
import { withoutSparedIn } from './spare.js';

/*
 * Manuals of commands say in a line what a command does (`Remove all volumes:`) and show it in the next one. Nobody is told to
 * do so: rules that say `spares: [manuals]` let such captions pass, and the code, headings and quotes between them. Blocks
 * between fences are no such code: answers that are to be followed step by step look like that.
 */

const captionsMin = 2;

/**
 * The matches without those of rules that spare manuals, where the text is one: two captions above a line of code and more, and
 * no more other lines than captions. What stands in those stays a match. Asked of a text only where there is such a match;
 * linear in the text.
 */
export function withoutCaptions<T extends Span>(
  text: string,
  matches: readonly T[],
  spares: (match: T) => boolean,
): readonly T[] {
  return text.includes(':\n') ? withoutSparedIn(matches, spares, () => manualRuns(text)) : matches;
}

/** Runs of lines that make a text a manual; none where it is no manual. */
function manualRuns(text: string): readonly Span[] {
  const lines = text.split('\n');
  const kinds = kindsOfLines(lines);
  const count = (kind: Kind) => kinds.filter((each) => each === kind).length;
  const captions = count('caption');
  if (captions < captionsMin || count('other') > captions) return [];
  const runs: { readonly start: number; end: number }[] = [];
  let start = 0;
  lines.forEach(({ length }, place) => {
    const end = start + length;
    const last = runs.at(-1);
    if (kinds[place] !== 'other') {
      if (last && last.end + 1 === start) last.end = end;
      else runs.push({ start, end });
    }
    start = end + 1;
  });
  return runs;
}

type Kind = 'blank' | 'code' | 'heading' | 'caption' | 'other';

function kindsOfLines(lines: readonly string[]): readonly Kind[] {
  const kinds = lines.map((line): Kind => {
    if (codeLine.test(line)) return 'code';
    if (line.trim() === '') return 'blank';
    return headingLine.test(line) ? 'heading' : 'other';
  });
  let below: Kind = 'blank';
  for (let i = lines.length - 1; i >= 0; i--) {
    if (kinds[i] === 'other' && below === 'code' && captionLine.test(lines[i])) kinds[i] = 'caption';
    if (kinds[i] !== 'blank') below = kinds[i];
  }
  return kinds;
}

const codeLine = /^[ \t]{0,8}(?:`[^`]+`|\$ .+)[ \t]*\r?$/;
const headingLine = /^(?:#{1,6} |> )/;
const captionLine = /:[ \t]*\r?$/;
