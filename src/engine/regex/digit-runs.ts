import { spaceUnit } from '../text/fold.js';
import type { Context, RequiredLiterals } from './context.js';
import { compileFlank, type Flank, passesFlank, refusesDigits } from './flank.js';
import type { Shape } from './shape.js';

const digitUnit = 0x30;
/** Beside it no border is asked. */
const noWordUnit = 0x20;

/** True if the literals are digits, of some of them one, that stand where a number begins, in every match. */
export function areDigitRuns(literals: RequiredLiterals): boolean {
  const texts = [...literals.keys()];
  if (!texts.every((literal) => /^[0-9]+$/.test(literal)) || texts.every(({ length }) => length > 1)) return false;
  const before = digitFlank(contextsOf(literals), 'before', false);
  return before !== undefined && refusesDigits(before);
}

/** The contexts of digits, the digit itself being the beginning of what comes after. */
export function contextsOf(literals: RequiredLiterals): readonly Context[] {
  const digitsOf = new Map<Context, Shape[]>();
  for (const [digit, { contexts }] of literals) {
    for (const context of contexts) {
      const digits = digitsOf.get(context) ?? [];
      digitsOf.set(context, digits);
      digits.push({ kind: 'text', text: digit });
    }
  }
  return [...digitsOf].map(([{ before, after }, options]) => ({
    before,
    after: [{ kind: 'choice', options }, ...after],
  }));
}

/** What must stand before a number, or what it and all after it must be. */
export function digitFlank(
  contexts: readonly Context[],
  side: 'before' | 'after',
  ignoreCase: boolean,
  states?: number,
): Flank | undefined {
  return compileFlank(contexts, side, side === 'before' ? digitUnit : noWordUnit, ignoreCase, states, usual[side]);
}

/** How numbers stand in most texts, read away from their first digit: a flank without room for all has it for these. */
const usual = {
  after: (
    '1 of the|10 people|100 years|1000 words|2024 and|2024, the|2024. The|20 minutes of|3.5 million|3,000 of|' +
    '1,000,000 people|10:30 in|1/2 of|5% of|5) a|1. The|12th of|90s and|2.0.1 of|1-2 of|30 GB of|8443 and has|' +
    '31-4409. They|10 000 of|2019-05-14 and|2019-05-14T09:30:00Z'
  ).split('|'),
  before: (
    'the year |in |of |about |more than |and |to |is |for |with |by |from |a word, |a word. |a word: |a word (|' +
    'a word\n|it costs $|the word #|a version v|the word-|10.|10,|10:|10/|10-|x = |x='
  )
    .split('|')
    .map((text) => [...text].reverse().join('')),
};

/**
 * True if more than a border is asked of what stands before a number: most endings of a sentence are refused, and a space, which
 * stands before two numbers of three.
 */
export function isDemanding(before: Flank): boolean {
  let passing = 0;
  for (let unit = 32; unit < 127; unit++) {
    const text = `the train to the coast is late, and there is ${String.fromCharCode(unit)}`;
    if (!passesFlank(before, 0, text, text.length - 1, -1)) continue;
    if (unit === spaceUnit) return false;
    passing++;
  }
  return passing < 20;
}
