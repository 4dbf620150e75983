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

/** Letters that have no other use than to be read upside down, or hardly any. */
export const turnedOnly: ReadonlySet<number> = new Set(Array.from('ǝɐɹʇɥɯʎʌƃ', (letter) => letter.charCodeAt(0)));
