import { refusesAtOnce } from './flank.js';
import { endSymbol, symbolCount, symbolOf } from './symbol.js';

const kinds = [/\s/, /[0-9]/, /[a-f]/, /[g-z]/, /[A-F]/, /[G-Z]/, /[-_]/, /[.,]/];
const otherKind = 8;
const foreignKind = 9;
const endKind = 10;

/** A bit for each kind. */
export const anyNeighbour: number = (1 << (endKind + 1)) - 1;

/**
 * What stands directly beside a needle, in few kinds: the kind of each symbol. For each needle a bit for each kind says whether the
 * flank of some output lets it pass. Most occurrences of short needles are parts of longer words, and go by that alone, without
 * a look at any output.
 */
export const neighbourKinds: Uint8Array = Uint8Array.from({ length: symbolCount }, (_, symbol) => {
  if (symbol === endSymbol) return endKind;
  if (symbol >= 128) return foreignKind;
  const kind = kinds.findIndex((each) => each.test(String.fromCharCode(symbol)));
  return kind < 0 ? otherKind : kind;
});

/** A bit for each kind of neighbour that the flank at a place does not refuse at once. */
export function neighboursOf(flanks: Uint8Array, place: number): number {
  let bits = 0;
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    if (!refusesAtOnce(flanks, place, symbol)) bits |= 1 << neighbourKinds[symbol];
  }
  return bits;
}

/** The bit of what stands at a place of a text. */
export function neighbourAt(text: string, at: number): number {
  const symbol = at < 0 || at >= text.length ? endSymbol : symbolOf(text.charCodeAt(at));
  return 1 << neighbourKinds[symbol];
}
