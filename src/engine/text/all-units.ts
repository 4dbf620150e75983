/**
 * Every UTF-16 unit in order, those of surrogate pairs as NUL: tables over all units are made by walking the runs of a
 * class in it. 65,536 tests of one character each took the start of every thread ten times as long.
 */
export const allUnits: string = new TextDecoder('utf-16le', { ignoreBOM: true }).decode(
  unitsInOrder().fill(0, 0xd800, 0xe000),
);

/** 0 to 65,535: a table in which each unit stands for itself. A loop, for a start has no time to make a callback fast. */
export function unitsInOrder(): Uint16Array {
  const units = new Uint16Array(0x10000);
  for (let unit = 0; unit < units.length; unit++) units[unit] = unit;
  return units;
}

/** Writes `value` for the units of which `runs`, a global pattern, finds runs. */
export function markUnits(table: Uint8Array, runs: RegExp, value: number): void {
  for (const { index, 0: run } of allUnits.matchAll(runs)) table.fill(value, index, index + run.length);
}

/** 1 for every letter, digit and mark; 65,536 entries. Surrogates are none. Never written after load. */
export const letterUnits: Uint8Array = new Uint8Array(0x10000);
markUnits(letterUnits, /[\p{L}\p{N}\p{M}]+/gu, 1);
