/** A vowel three times in a row, or a word each of whose letters stands twice: `yooouuur`, `yyoouurr`. */
const drawn = /([aeiou])\1\1|(?<![a-z])(?:([a-z])\2){3,}(?![a-z])/i;
const longest = 64;

/** Whether a text has words that are drawn out. */
export function hasDrawnWord(text: string): boolean {
  return drawn.test(text);
}

/** What a word may be that is drawn out: each letter half as often, or those that stand three times and more once or twice. None of any other word. */
export function shortened(word: string): readonly string[] {
  if (word.length > longest) return [];
  if (/^(?:([a-z])\1){2,}$/i.test(word)) return [word.replace(/([a-z])\1/gi, '$1')];
  const thrice = /([a-z])\1{2,}/gi;
  const once = word.replace(thrice, '$1');
  return once === word ? [] : [once, word.replace(thrice, '$1$1')];
}
