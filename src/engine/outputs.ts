/**
 * What the automaton's needles are for, flat and in shared memory. The outputs of needle `n` are those from
 * `starts[n]` up to `starts[n + 1]`; each is four words of `records`: the pattern, its gate, and the addresses
 * of the flanks before and after the needle, 0 for none. The word of the gate has its number in the lowest four bits; in
 * the next four, where the pattern has several gates, a bit for each of them; in the next sixteen the needle's length
 * (as in its form); and above those the units that a match spans at the most, in steps of `windowStep`, rounded up, 0 where
 * they are unbounded.
 *
 * The outputs behind those of the last needle are of *digit runs*: they are for patterns that require nothing but some
 * digits, begin with one and never in the middle of a number. For them the flank after begins with the first digit
 * itself. They come in groups: some that ask most of what comes after the digit, and some that ask most of what
 * stands before it. Last come the outputs of the *start of the text*, for patterns that are anchored there; for them the
 * flank after begins with the text. A group's flanks let pass what one of its outputs' do.
 */
export interface Outputs {
  readonly starts: Int32Array;
  readonly records: Int32Array;
  readonly digits: readonly OutputGroup[];
  readonly textStart: OutputGroup;
}

/** Outputs that no needle leads to. */
export interface OutputGroup {
  /** Addresses of its flanks, 0 for none. */
  readonly before: number;
  readonly after: number;
  /** First output of the group, and the one after its last. */
  readonly from: number;
  readonly to: number;
}

const noOutputs: OutputGroup = { before: 0, after: 0, from: 0, to: 0 };

export const outputWords = 4;

/**
 * Called for every output of every needle that ends at `end` (exclusive, UTF-16 units) in ascending order of it, and for
 * every output of digit runs, in an order of their own, with the end of the first digit. Before all others come those of
 * the start of the text, with the end of its first unit. Outputs of a pattern are
 * left out where its other gates do not stand near enough for a match.
 */
export type OutputSink = (output: number, end: number) => void;

/** One output for each needle, numbered like it, without flanks: what a search for needles alone hands out. */
export function outputPerNeedle(needleCount: number): Outputs {
  return {
    starts: Int32Array.from({ length: needleCount + 1 }, (_, needle) => needle),
    records: new Int32Array(needleCount * outputWords),
    digits: [],
    textStart: noOutputs,
  };
}

/** Pattern of an output. */
export function patternOf({ records }: Pick<Outputs, 'records'>, output: number): number {
  return records[output * outputWords];
}

/** Which of its pattern's gates an output stands for. */
export function gateOf({ records }: Outputs, output: number): number {
  return records[output * outputWords + 1] & 15;
}

/** A bit for each gate of its pattern; 0 where there is only one. */
export function gatesOf({ records }: Outputs, output: number): number {
  return (records[output * outputWords + 1] >> 4) & 15;
}

/** Length of an output's needle, as in the needle's form. */
export function lengthOf({ records }: Outputs, output: number): number {
  return (records[output * outputWords + 1] >> 8) & 0xffff;
}

/** In UTF-16 units. The longest window, `limits.windowUnitsMax`, is 16 of them. */
const windowStep = 128;

/** The word of a gate, from its number, what its pattern says (`ProgramPattern`), and the length of the needle. */
export function gateWord(
  gate: number,
  { gateCount, windowUnits }: { readonly gateCount: number; readonly windowUnits: number },
  length: number,
): number {
  const gates = gateCount > 1 ? (1 << gateCount) - 1 : 0;
  return gate | (gates << 4) | (length << 8) | (Math.ceil(windowUnits / windowStep) << 24);
}

/** Units that a match of an output's pattern spans at the most, or some more; 0 where they are unbounded. */
export function windowUnitsOf({ records }: Outputs, output: number): number {
  return (records[output * outputWords + 1] >>> 24) * windowStep;
}

/** Needle of every output of a needle. */
export function needlesByOutput({ starts, records }: Outputs): Int32Array {
  const needles = new Int32Array(records.length / outputWords);
  for (let needle = 0; needle + 1 < starts.length; needle++) needles.fill(needle, starts[needle], starts[needle + 1]);
  return needles;
}
