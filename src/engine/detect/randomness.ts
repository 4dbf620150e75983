/**
 * True if a text looks generated rather than worded: the mean surprise of its neighbouring letters and digits, under
 * the pairs of ordinary English, is at least 4.2 bits. Names such as `get_user_token_2` stay below 4, keys of
 * sixteen characters or more lie at 4.5 to 7. Cost linear in the first 256 units.
 */
export function random(hit: string): boolean {
  let bits = 0;
  let pairs = 0;
  const length = Math.min(hit.length, unitsMax);
  for (let i = 1; i < length; i++) {
    const surprise = surpriseOf(hit.charCodeAt(i - 1), hit.charCodeAt(i));
    if (surprise === 0) continue;
    bits += surprise;
    pairs++;
  }
  return pairs >= pairsMin && bits / pairs >= meanBitsMin;
}

const unitsMax = 256;
const pairsMin = 4;
/** Between worded identifiers and generated values of the development data: 98 % of the former lie below. */
const meanBitsMin = 4.2;

/** Bits of surprise at a pair; 0 where one of them is neither an ASCII letter nor a digit. */
function surpriseOf(left: number, right: number): number {
  const leftRank = rankOf(left);
  const rightRank = rankOf(right);
  if (leftRank < 0 || rightRank < 0) return 0;
  const leftIsDigit = leftRank >= 26;
  if (leftIsDigit !== rightRank >= 26) return letterBesideDigitBits;
  if (leftIsDigit) return Math.abs(left - right) <= 1 ? digitStepBits : digitPairBits;
  // A capital after a small letter begins a word, as in `camelCase`, and says nothing about the pair.
  if (left > 96 && right < 97) return wordStartBits;
  return Number(letterPairBits[leftRank][rightRank]);
}

/** 0–25 for letters of either case, 26 and more for digits, below zero for the rest. */
function rankOf(unit: number): number {
  if (unit >= 48 && unit <= 57) return 26 + unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 122 && unit < 128 ? lower - 97 : -1;
}

const letterBesideDigitBits = 6;
const digitPairBits = 5;
const digitStepBits = 2;
const wordStartBits = 5;

/**
 * Row: a letter; column: the letter after it; value: −log2 of how often it follows, rounded, at most 9. Counted over
 * the words of `rules/lists/ordinary.jsonl` and of this project's own pages, with half a count added to each pair.
 */
const letterPairBits: readonly string[] = (
  '85449758596442959343669859 48992999479399299458399949 39893992584598289573699969 37862967399668389538689969 ' +
  '47545669699553967225758569 49794499299497299384499999 48992954399684589455499989 29991999399997399475899969 ' +
  '67455659997452469532959898 47773777777777467717377777 46951996499694579637699979 39942799397369399955688959 ' +
  '25952999379659349859599969 48433738597596369933679969 67657469696442559355464999 39993895489359349354689969 ' +
  '77777777777577777777077777 48542879496576399645369959 49492994496678459542586979 49692792499799379435696969 ' +
  '48464867598343859433897889 39991999399999699999999979 39993992399894399559899999 26483888588888838882888888 ' +
  '45683888688464338823686886 36642666466646466466464646'
).split(' ');
