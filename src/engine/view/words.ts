/**
 * Words by which a disguised text is told from an undisguised one: common English words and, because those are what a
 * disguise is for, the words that rules are about.
 */
export type Vocabulary = ReadonlySet<string>;

/** Letters of the shortest common word whose misspellings are known as such: of shorter ones too many are words themselves. */
const longWord = 6;

/**
 * Whether a word is a common one with the letters between its ends in another order, one of them missing or one too many. Phrases
 * name such words (`ignroe`), but a text that has several is not well spelt for that.
 */
export function isMisspelt(word: string): boolean {
  longWords ??= groupByEnds(commonWords.filter(({ length }) => length >= longWord));
  const alike = longWords.get(endsOf(word)) ?? [];
  const isNear = (common: string) => Math.abs(common.length - word.length) <= 1 && differentLetters(word, common) <= 1;
  return !alike.includes(word) && alike.some(isNear);
}

/** By their first and last letters. */
let longWords: ReadonlyMap<string, readonly string[]> | undefined;

function groupByEnds(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const word of words) groups.set(endsOf(word), [...(groups.get(endsOf(word)) ?? []), word]);
  return groups;
}

function endsOf(word: string): string {
  return word[0] + word[word.length - 1];
}

/** How many letters one of two words has that the other has not, wherever they stand. */
function differentLetters(a: string, b: string): number {
  const letters = [...a];
  let missing = 0;
  for (const letter of b) {
    const place = letters.indexOf(letter);
    if (place < 0) missing++;
    else letters.splice(place, 1);
  }
  return missing + letters.length;
}

/** The most frequent words of English, the most frequent ones first. */
export const commonWords: readonly string[] = `
the of and to in a is that for it as was with be by on not he i this are or his from at which but have an had they you
were their one all we can her has there been if more when will would who so no out up said what its about than into them
only other time new some could these two may first then do any like my now over such our man me even most made after
also did many off before must well back through years where much your way down should because long each just state those
people too mr how little good world make very year still see work men day get here old life both between being under
three never know same last another while us might great go come since against right came take used himself few house use
place american during high without again home around small however found mrs part school thought went say general once
left upon every war don does got united left number course until always away something fact water though less public put
thing almost hand enough took far head yet government system set better told nothing night end why called find going look
asked later knew point next program city business give group toward young days let room word words present order
face seemed keep best things second write read help need want tell show please answer question message text user model
ignore previous instruction instructions prompt reveal secret password key forget disregard override bypass rule
rules act pretend assistant developer mode above below hidden content output print repeat send data email file command
execute run code access admin security policy policies safety filter filters restrictions restriction unrestricted
response respond explain information conversation context begin start stop now following follow instead anything
everything real true free without limits ethical guidelines guideline ai chat bot name role play
`
  .trim()
  .split(/\s+/);

/**
 * Splits letters that were written without spaces into words of the vocabulary; letters that belong to none go
 * together. Gives the offsets at which words begin or end, ascending. Cost: length × the longest word.
 */
export function splitWords(letters: string, vocabulary: Vocabulary): readonly number[] {
  const lower = letters.toLowerCase();
  // costs[i]: least cost of the letters before i; a word costs 1, a letter outside of words more than any word.
  const costs = new Float64Array(lower.length + 1);
  const from = new Int32Array(lower.length + 1);
  for (let end = 1; end <= lower.length; end++) {
    costs[end] = costs[end - 1] + looseLetterCost;
    from[end] = end - 1;
    for (let start = Math.max(0, end - longestWord); start < end; start++) {
      const cost = costs[start] + wordCost(end - start);
      if (cost < costs[end] && vocabulary.has(lower.slice(start, end))) {
        costs[end] = cost;
        from[end] = start;
      }
    }
  }
  const borders: number[] = [];
  for (let end = lower.length; end > 0; end = from[end]) {
    const isWord = costs[end] - costs[from[end]] < looseLetterCost;
    if (isWord && borders[borders.length - 1] !== end) borders.push(end);
    if (isWord) borders.push(from[end]);
  }
  return borders.reverse();
}

/** Costs are whole numbers, so that equal ones are equal. */
const looseLetterCost = 40;
const longestWord = 18;

/** Short words are likelier to stand inside of longer ones by chance. */
function wordCost(length: number): number {
  return length === 1 ? 38 : 20 + Math.round(10 / length);
}
