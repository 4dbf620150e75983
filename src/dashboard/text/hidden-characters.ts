/**
 * Characters that a page would not show, or that would make it show others in another order: controls, marks of
 * direction, spaces without width, tags, selectors that can carry a message, halves of pairs. Joiners (U+200C, U+200D)
 * and the selectors of emoji (U+FE0E, U+FE0F) are left alone, because ordinary writing needs them.
 */
const hidden = /(?!\n|\t|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\ufff9-\ufffb]/gu;

const names: Readonly<Record<number, string>> = {
  0: 'null',
  8: 'backspace',
  13: 'carriage return',
  27: 'escape',
  127: 'delete',
  173: 'soft hyphen',
  1564: 'Arabic letter mark',
  8203: 'zero-width space',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8232: 'line separator',
  8233: 'paragraph separator',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'pop directional formatting',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'pop directional isolate',
  65279: 'byte order mark',
};

/** A stretch of text as it is, or one hidden character. */
export interface Piece {
  readonly text: string;
  /** What stands there, where it is hidden, e.g. `U+202E right-to-left override`. */
  readonly hidden?: string;
}

/** Splits a text at its hidden characters; nothing is lost. */
export function splitHidden(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (index > from) pieces.push({ text: text.slice(from, index) });
    pieces.push({ text: character, hidden: nameOf(character) });
    from = index + character.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** Text from elsewhere where no element can stand, as in a choice of a list: its hidden characters written out, cut when it is long. */
export function plainText(text: string, charactersMax = 60): string {
  const characters = [...text];
  const shown = splitHidden(characters.slice(0, charactersMax).join(''))
    .map((piece) => (piece.hidden === undefined ? piece.text : `[${escapeOf(piece.text)}]`))
    .join('');
  return characters.length > charactersMax ? `${shown} …` : shown;
}

/** The hidden characters of a text with how often each stands in it; looks at the first `unitsMax` units. */
export function countHidden(text: string, unitsMax: number): { readonly name: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const [character] of text.slice(0, unitsMax).matchAll(hidden)) {
    const name = nameOf(character);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
}

/** How many characters of Unicode a text has: an emoji is two units, and one or more of these. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _character of text) count++;
  return count;
}

/** Short escape of a hidden character, as it is shown in its place. */
export function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xe0020 && code < 0xe007f) return `tag ${String.fromCharCode(code - 0xe0000)}`;
  return `U+${hex(code)}`;
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xe0020 && code < 0xe007f) return `U+${hex(code)} tag ${String.fromCharCode(code - 0xe0000)}`;
  const name = names[code] ?? (code >= 0xd800 && code < 0xe000 ? 'half of a pair' : 'not visible');
  return `U+${hex(code)} ${name}`;
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}
