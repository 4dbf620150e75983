/** Classes of units that runs are made of, as bits. */
export const runClass = {
  /** Either alphabet of base64, base32 with it. */
  alphabet: 1,
  /** Hex digits and what stands between numbers. */
  numbers: 2,
  morse: 4,
} as const;

/** Shortest run that can say something, by what it may be: 12 letters in base64, 8 numbers of two digits, 8 letters of Morse, four words. */
export const shortestRun = { alphabet: 16, numbers: 16, morse: 20, joined: 18 } as const;

/** The dots and dashes of Morse code, in whichever spelling. */
const morseSigns = '.-·•−–—_';
export const morseUnits: ReadonlySet<number> = new Set(Array.from(morseSigns, (sign) => sign.charCodeAt(0)));

const classes: Uint8Array = classify();

/**
 * Start of the first run of at least `shortest` units of a class in `units[from, length)`, or −1. It looks at
 * the last unit that a run would need first, and so passes over ordinary text without reading most of it.
 */
export function nextLongRun(units: Uint16Array, length: number, bit: number, shortest: number, from: number): number {
  let start = from;
  while (start + shortest <= length) {
    let last = start + shortest - 1;
    while (last >= start && (classes[units[last]] & bit) !== 0) last--;
    if (last < start) return start;
    start = last + 1;
  }
  return -1;
}

/** Where the run that goes on at `from` ends. */
function endOfRun(units: Uint16Array, length: number, bit: number, from: number): number {
  let end = from;
  while (end < length && (classes[units[end]] & bit) !== 0) end++;
  return end;
}

/** Start and end of every run of at least `shortest` units of a class, in order, flat. Linear. */
export function longRuns(units: Uint16Array, bit: number, shortest: number): readonly number[] {
  const { length } = units;
  const found: number[] = [];
  for (let start = nextLongRun(units, length, bit, shortest, 0); start >= 0; ) {
    const end = endOfRun(units, length, bit, start + shortest);
    found.push(start, end);
    start = nextLongRun(units, length, bit, shortest, end + 1);
  }
  return found;
}

/** A text's UTF-16 units. */
export function unitsOf(text: string): Uint16Array {
  const bytes = Buffer.alloc(2 * text.length);
  bytes.write(text, 'utf16le');
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}

/** True if the unit may be part of a run of the class. */
export function isOfRun(unit: number, bit: number): boolean {
  return (classes[unit] & bit) !== 0;
}

function classify(): Uint8Array {
  const table = new Uint8Array(0x10000);
  const add = (units: string, bit: number): void => {
    for (const unit of units) table[unit.charCodeAt(0)] |= bit;
  };
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  add(`${letters}${letters.toUpperCase()}0123456789+/-_`, runClass.alphabet);
  add('0123456789abcdefABCDEFxX :,;-', runClass.numbers);
  add(`${morseSigns} /|\n`, runClass.morse);
  return table;
}
