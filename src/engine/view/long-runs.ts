/** Classes of units that runs are made of, as bits. */
export const runClass = {
  /** Either alphabet of base64, base32 with it. */
  alphabet: 1,
  /** Hex digits and what stands between numbers. */
  numbers: 2,
  morse: 4,
} as const;

/** Shortest run that can say something, by class: 12 letters in base64, 8 numbers of two digits, 8 letters of Morse. */
export const shortestRun = { alphabet: 16, numbers: 16, morse: 20 } as const;

const classes: Uint8Array = classify();

/**
 * Start and end of every run of at least `shortest` units of a class, in order, flat; at most `most` runs. It looks at
 * the last unit that a run would need first, and so passes over ordinary text without reading most of it.
 */
export function longRuns(text: string, runClassBit: number, shortest: number, most: number): readonly number[] {
  const found: number[] = [];
  // Nothing before `start` belongs to the run that is looked for.
  let start = 0;
  while (start + shortest <= text.length && found.length < 2 * most) {
    let last = start + shortest - 1;
    while (last >= start && isOf(text.charCodeAt(last), runClassBit)) last--;
    if (last >= start) {
      start = last + 1;
      continue;
    }
    let end = start + shortest;
    while (end < text.length && isOf(text.charCodeAt(end), runClassBit)) end++;
    found.push(start, end);
    start = end + 1;
  }
  return found;
}

function isOf(unit: number, bit: number): boolean {
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
  add('.-·•−–—_ /|\n', runClass.morse);
  return table;
}
