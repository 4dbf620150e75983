/*
 * Suffixes that an optimiser found (greedy coordinate gradient and its kin) are words and signs in a row that no grammar
 * made: `]$ [[Surely among ***Yes<= exactly fourstep`. Three things tell them from prose and from code: brackets whose
 * counterpart is nowhere in the line, signs where no writer puts any, hardly one of them twice, and words that still
 * stand beside words, which in code they do not. On 21,400
 * benign messages of users and tools 8 were taken for one, of 200 suffixes 165 found.
 */

/** Shorter lines hold no such suffix together with what it is to make a model do. */
const lineUnitsMin = 50;
/** Words, by white space, that are judged together, and how far apart such stretches begin. */
const stretchWords = 20;
const stretchStep = 4;

/** What a stretch must have, per word where it is a share. */
const least = { signKinds: 3, neighbours: 0.6, variety: 0.6, words: 6 } as const;
/** One lonely bracket needs more odd signs beside it than two do. */
const oddSigns = { withOne: 0.15, withMore: 0.1 } as const;
/** Pairs of a quote and a comma or colon, of which JSON is made. */
const quotePairsMax = 1;

const counterparts: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/** Half-open, in UTF-16 units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Where words and signs stand together as no writer puts them; disjoint, ascending. Linear; nearly free where as many
 * brackets close as open, which is nearly everywhere.
 */
export function findTokenSalad(text: string): readonly Span[] {
  let isBalanced = true;
  for (const [close, open] of counterparts) isBalanced &&= count(text, open) === count(text, close);
  if (isBalanced) return [];
  const found: Span[] = [];
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    if (end - start >= lineUnitsMin) findInLine(text.slice(start, end), start, found);
    start = end + 1;
  }
  return found;
}

function count(text: string, sign: string): number {
  let all = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) all++;
  return all;
}

/** A word, or signs without white space between them. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly isWord: boolean;
  /** White space stands before it. */
  readonly isApart: boolean;
  /** Signs that do not stand where writers put them. */
  readonly odd?: string;
  /** A quote and a comma or colon. */
  readonly isQuotePair: boolean;
}

function findInLine(line: string, offset: number, found: Span[]): void {
  const lonely = lonelyBrackets(line);
  if (lonely.length === 0) return;
  const pieces = piecesOf(line);
  const firsts = pieces.flatMap(({ isApart }, place) => (isApart ? [place] : []));
  const lastFirst = Math.max(0, firsts.length - stretchWords);
  // Of the lonely brackets, the first one that is not before the stretch, and the first one behind it.
  let from = 0;
  let to = 0;
  for (let first = 0; ; first = Math.min(first + stretchStep, lastFirst)) {
    const begin = firsts[first] ?? 0;
    const behind = firsts[first + stretchWords] ?? pieces.length;
    const start = pieces[begin].start;
    const end = pieces[behind - 1].end;
    while (lonely[from] < start) from++;
    while (lonely[to] < end) to++;
    if (to > from && isSalad(pieces, begin, behind, to - from)) add(found, offset + start, offset + end);
    if (first >= lastFirst) return;
  }
}

/** Adds a span that begins no earlier than those before it; joins it to the last where they touch. */
function add(found: Span[], start: number, end: number): void {
  const before = found.at(-1);
  if (before === undefined || before.end < start) found.push({ start, end });
  else found[found.length - 1] = { start: before.start, end };
}

/** A face made of signs, whose mouth is no bracket; or a bracket. */
const faceOrBracket = /[:;=]['’]?-?[()[\]]+(?=[\s.,!?]|$)|[()[\]{}]/g;
const face = /^[:;=]['’]?-?[()[\]]+[.,!?]*$/;

/**
 * Places of the brackets without a counterpart in the line, ascending. At either end of the line it may have one in
 * another line, as in code.
 */
function lonelyBrackets(line: string): readonly number[] {
  const open: number[] = [];
  const lonely: number[] = [];
  for (const { 0: sign, index } of line.matchAll(faceOrBracket)) {
    if (sign.length > 1) continue;
    const counterpart = counterparts.get(sign);
    if (counterpart === undefined) open.push(index);
    else if (line[open.at(-1) ?? -1] === counterpart) open.pop();
    else lonely.push(index);
  }
  if (open.length + lonely.length === 0) return lonely;
  const first = line.length - line.trimStart().length;
  const last = line.trimEnd().length - 1;
  return [...lonely, ...open].filter((at) => at !== first && at !== last).sort((a, b) => a - b);
}

function piecesOf(line: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let before = -1;
  for (const { 0: piece, 1: word, index: start } of line.matchAll(wordOrSigns)) {
    const end = start + piece.length;
    const isApart = start > before;
    const isWord = word !== undefined;
    const isSpacedAfter = end === line.length || /\s/.test(line[end]);
    const isQuotePair = !isWord && quotePair.test(piece);
    const place = { start, end, isWord, isApart, isQuotePair };
    pieces.push(!isWord && isOdd(piece, isApart, isSpacedAfter) ? { ...place, odd: piece } : place);
    before = end;
  }
  return pieces;
}

const wordOrSigns = /([\p{L}\p{N}\p{M}]+(?:['’-][\p{L}\p{N}\p{M}]+)*)|[^\s\p{L}\p{N}\p{M}]+/gu;
const quotePair = /["'],|":/;

/** Judges the pieces from `begin` up to `behind`. */
function isSalad(pieces: readonly Piece[], begin: number, behind: number, brackets: number): boolean {
  let words = 0;
  let neighbours = 0;
  let odd = 0;
  let quotePairs = 0;
  const kinds = new Set<string>();
  for (let place = begin; place < behind; place++) {
    const piece = pieces[place];
    if (piece.isWord) {
      words++;
      if (place > begin && piece.isApart && pieces[place - 1].isWord) neighbours++;
      continue;
    }
    if (piece.isQuotePair) quotePairs++;
    if (piece.odd === undefined) continue;
    odd++;
    kinds.add(piece.odd);
  }
  return (
    quotePairs <= quotePairsMax &&
    words >= least.words &&
    kinds.size >= least.signKinds &&
    kinds.size >= least.variety * odd &&
    neighbours >= least.neighbours * words &&
    odd >= (brackets > 1 ? oddSigns.withMore : oddSigns.withOne) * words
  );
}

const closing = /^(?:[.,;:!?…]|\.\.\.|[.!?]?["'”’)]|["'”’)][.,;:!?]|["”’']\)|\?!|[!?]{2,3})$/;
const opening = /^["'“‘(]$/;
const between = /^(?:[-–—&+/=]|--)$/;
const within = /^[-/.:_@&]$/;

/** True for signs that do not stand where writers put them. */
function isOdd(signs: string, isSpacedBefore: boolean, isSpacedAfter: boolean): boolean {
  if (face.test(signs)) return false;
  if (isSpacedBefore === isSpacedAfter) return !between.test(signs) && (isSpacedBefore || !within.test(signs));
  return !(isSpacedBefore ? opening : closing).test(signs);
}
