/** What each letter is upside down, where it is another one. */
export const turnedLetters: ReadonlyMap<number, number> = new Map(
  [
    'ɐa',
    'qb',
    'ɔc',
    'pd',
    'ǝe',
    'ɟf',
    'ƃg',
    'ɥh',
    'ᴉi',
    'ıi',
    'ɾj',
    'ʞk',
    'ɯm',
    'un',
    'dp',
    'bq',
    'ɹr',
    'ʇt',
    'nu',
    'ʌv',
    'ʍw',
    'ʎy',
  ].map(([turned, letter]) => [turned.charCodeAt(0), letter.charCodeAt(0)]),
);

/** A letter that has no other use than to be read upside down, or hardly any. */
export function isTurnedLetter(unit: number): boolean {
  return unit >= 0x80 && 'ǝɐɹʇɥɯʎʌƃ'.includes(String.fromCharCode(unit));
}
