import type { PolicyCode } from '../../domain/policy.js';

/**
 * The ways in which a text can be read other than as it stands. A view's kinds are all those that made it, as a bit
 * set; a rule sees a view if it allows every one of them. The place in this list is the bit.
 */
export const viewKinds = [
  'compatible',
  'confusable',
  'invisible',
  'marks',
  'hidden',
  'leet',
  'spaced',
  'reversed',
  'rot13',
  'morse',
  'base64',
  'base32',
  'hex',
  'percent',
  'entity',
  'escape',
  'quoted-printable',
  'joined',
  'spelling',
  'table',
  'markup',
] as const;

export type ViewKind = (typeof viewKinds)[number];

const allViews: number = 2 ** viewKinds.length - 1;

/** Bit of one kind. */
export function viewBit(kind: ViewKind): number {
  return 1 << viewKinds.indexOf(kind);
}

export function viewBits(kinds: readonly ViewKind[]): number {
  return kinds.reduce((bits, kind) => bits | viewBit(kind), 0);
}

/** Readings that take letters for others by a guess: values without words around them take on any form in those by chance. */
export const guessedKinds: number = viewBits([
  'confusable',
  'marks',
  'leet',
  'spaced',
  'reversed',
  'rot13',
  'morse',
  'joined',
  'spelling',
]);

/** The kinds of a bit set, in the order of `viewKinds`. */
export function kindsOf(bits: number): readonly ViewKind[] {
  return viewKinds.filter((_, place) => (bits & (1 << place)) !== 0);
}

/**
 * Which views rules of a policy are looked for in where they do not say: structured values are found by their shape,
 * which guessed letters take on by chance, and alone have a name that may stand above them; a package may be bad because its name is
 * misspelt. All other rules are looked for in every view but that one.
 */
export function defaultViews(policy: PolicyCode): number {
  if (policy === 'LLM02') return allViews & ~guessedKinds;
  return allViews & ~viewBits(policy === 'LLM03' ? ['spelling', 'table'] : ['table']);
}
