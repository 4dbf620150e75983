import { whiteSpaceUnits } from '../text/casefold.generated.js';
import { foldTable } from '../text/fold.js';

/**
 * The small alphabet that flanks are read in: every ASCII unit is a symbol of its own, all other units share sixteen
 * by their last four bits, and the last symbol is the end of the text, on either side. Coarse beyond ASCII, so what is
 * asked about symbols is answered "no" or "maybe".
 */
export const symbolCount: number = 145;
export const endSymbol: number = 144;
const asciiCount = 128;

/** Which symbols belong: 1 for each that does; `symbolCount` entries. */
export type SymbolSet = Uint8Array;

/** The symbols of a set, ascending; reckoned once, so the set must stay as it is. */
export function membersOf(symbols: SymbolSet): readonly number[] {
  const known = knownMembers.get(symbols);
  if (known) return known;
  const members: number[] = [];
  for (let symbol = 0; symbol < symbolCount; symbol++) if (symbols[symbol] === 1) members.push(symbol);
  knownMembers.set(symbols, members);
  return members;
}

const knownMembers = new WeakMap<SymbolSet, readonly number[]>();

export function symbolOf(unit: number): number {
  return unit < asciiCount ? unit : asciiCount + (unit & 15);
}

/** Symbols that a unit of a pattern can stand for in a text. */
export function symbolsOf(unit: number, ignoreCase: boolean): SymbolSet {
  const key = unit * 2 + (ignoreCase ? 1 : 0);
  const known = setsByUnit.get(key);
  if (known) return known;
  const symbols = new Uint8Array(symbolCount);
  setsByUnit.set(key, symbols);
  const units = ignoreCase ? (unfolded().get(foldTable[unit]) ?? [unit]) : [unit];
  for (const each of units) symbols[symbolOf(each)] = 1;
  return symbols;
}

/** At most two sets a unit; patterns are written in few. */
const setsByUnit = new Map<number, SymbolSet>();

/** Every symbol beyond ASCII, no other. */
export const beyondAscii: SymbolSet = Uint8Array.from({ length: symbolCount }, (_, symbol) =>
  isBeyond(symbol) ? 1 : 0,
);

/** The end of the text alone. */
export const textEnd: SymbolSet = Uint8Array.from({ length: symbolCount }, (_, symbol) =>
  symbol === endSymbol ? 1 : 0,
);

/** Symbols of all white space units. */
export const spaceSymbols: SymbolSet = new Uint8Array(symbolCount);
for (const unit of whiteSpaceUnits) spaceSymbols[symbolOf(unit)] = 1;

/** ASCII letters, digits and the underscore: what a word is to RE2's `\b`. */
export const wordSymbols: SymbolSet = Uint8Array.from({ length: symbolCount }, (_, symbol) =>
  symbol < asciiCount && /\w/.test(String.fromCharCode(symbol)) ? 1 : 0,
);

function isBeyond(symbol: number): boolean {
  return symbol >= asciiCount && symbol < endSymbol;
}

let unitsOfFolded: ReadonlyMap<number, readonly number[]> | undefined;

/** All units that fold to a unit, where there are several; made on first use, because only compiling asks. */
function unfolded(): ReadonlyMap<number, readonly number[]> {
  if (unitsOfFolded) return unitsOfFolded;
  const units = new Map<number, number[]>();
  for (let unit = 0; unit < foldTable.length; unit++) {
    const folded = foldTable[unit];
    if (folded !== unit) units.set(folded, [...(units.get(folded) ?? [folded]), unit]);
  }
  unitsOfFolded = units;
  return units;
}
