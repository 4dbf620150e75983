import type { Span } from '../../domain/span.js';
import { withoutSparedIn } from './spare.js';

/*
 * Pages of a manual say in a line what a command does (`- Remove all volumes:`) and show it in the next one. Nobody is told to
 * do so: rules that say `spares: [manuals]` let such captions and commands pass. Whoever writes a message may give it this form,
 * so it is a narrow one, and a line that speaks to whoever reads it, or reaches out for another machine, stays as it is.
 */

const captionsMin = 2;

/**
 * The matches without those of rules that spare manuals, where the text is a page of one: `# name`, notes (`> …`), and two
 * captions and more above commands, and nothing else. Asked of a text only where there is such a match; linear in the
 * text.
 */
export function withoutCaptions<T extends Span>(
  text: string,
  matches: readonly T[],
  spares: (match: T) => boolean,
): readonly T[] {
  return text.startsWith('# ') ? withoutSparedIn(matches, spares, () => harmlessParts(text)) : matches;
}

/** The lines of a page but those that do more than a manual; neighbours, with blank lines between them, are one part. None where the text is no page. */
function harmlessParts(text: string): readonly Span[] {
  const lines = text.split('\n');
  const filled = lines.map((line) => line.trimEnd()).filter((line) => line !== '');
  const name = heading.exec(filled[0])?.[1].toLowerCase();
  const captions = filled.filter((line, place) => isCaption(line) && isCommand(filled[place + 1] ?? ''));
  if (name === undefined || captions.length < captionsMin) return [];
  if (!filled.slice(1).every((line) => isNote(line) || isCaption(line) || isCommand(line))) return [];
  const isHarmless = (line: string) =>
    isCommand(line) ? calls(line, name) && !reachesOut(line) : !addresses.test(line);
  const parts: { readonly start: number; end: number }[] = [];
  let isOpen = false;
  let start = 0;
  for (const line of lines) {
    const end = start + line.length;
    const last = parts.at(-1);
    if (line.trimEnd() !== '') {
      const isPart = isHarmless(line.trimEnd());
      if (isPart && isOpen && last) last.end = end;
      else if (isPart) parts.push({ start, end });
      isOpen = isPart;
    }
    start = end + 1;
  }
  return parts;
}

const heading = /^# ([\w+.]{1,30})[\w+. -]{0,40}$/;
const isNote = (line: string) => /^> .{1,120}$/.test(line);
const isCaption = (line: string) => /^- .{1,120}:$/.test(line);
const isCommand = (line: string) => /^`[^`]+`$/.test(line);

function calls(command: string, name: string): boolean {
  return command
    .replace(/^`(?:sudo )?/, '')
    .toLowerCase()
    .startsWith(name);
}

/** Somebody who reads, a model that does, or a second sentence. */
const addresses =
  /\b(?:I|we|my|our|you|your|yourself|users?|assistants?|AI|LLM|models?|agents?|memor(?:y|ies)|remember|never|nobody|without asking(?! for confirmation:$)|from now on)\b|[.!?] /i;

/** To another machine by name or number that is no placeholder, or to a shell that does what comes out. */
function reachesOut(command: string): boolean {
  return away.test(command.replace(/\{\{[^{}]*\}\}/g, ''));
}
const away = /:\/\/(?!(?:\w+\.)*example\b)|\/dev\/(?:tc|ud)p\/|\b\d{1,3}(?:\.\d{1,3}){3}\b|\|\s*(?:sudo )?\w{0,3}sh\b/;
