import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { gramHash } from '../engine/learned/features.js';
import { eachToken } from '../engine/learned/tokens.js';

/** `lists/classes.yaml`: lists of words by the name of their class. */
export const classesSchema = Compile(
  Type.Object(
    {
      classes: Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.Array(Type.Array(Type.String())), {
        maxProperties: 255,
      }),
    },
    { additionalProperties: false },
  ),
);

/** What `classesSchema` reads. */
interface WordClasses {
  readonly classes: Readonly<Record<string, readonly (readonly string[])[]>>;
}

/** Words by the class that they stand for, each of one to three tokens. */
export interface Lexicon {
  readonly names: readonly string[];
  /** Class (from 1) of n-grams by their hash. */
  readonly classes: ReadonlyMap<number, number>;
}

/** The lexicon of what `lists/classes.yaml` holds. */
export function lexiconOf({ classes }: WordClasses): Lexicon {
  return createLexicon(Object.fromEntries(Object.entries(classes).map(([name, lists]) => [name, lists.flat()])));
}

/** A word of several classes counts for the first. Words of more than three tokens or of none are left out. */
export function createLexicon(words: Readonly<Record<string, readonly string[]>>): Lexicon {
  const classes = new Map<number, number>();
  const names = Object.keys(words);
  names.forEach((name, index) => {
    for (const word of words[name]) {
      const tokens: number[] = [];
      eachToken(word, (hash) => tokens.push(hash));
      if (tokens.length === 0 || tokens.length > 3) continue;
      const hash = gramHash(tokens);
      if (!classes.has(hash)) classes.set(hash, index + 1);
    }
  });
  return { names, classes };
}
