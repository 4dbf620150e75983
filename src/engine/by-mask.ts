/** Numbers that are remembered for each mask: roles, or kinds of views, of which texts have a dozen, nested ones some more. */
const numbersMax = 64;

/**
 * What is made of a mask of rules and a number, made once for each of both. It goes with the mask, which must not be changed
 * afterwards.
 */
export function byMask<Made>(make: (mask: Uint8Array, number: number) => Made): typeof make {
  const all = new WeakMap<Uint8Array, Map<number, Made>>();
  return (mask, number) => {
    const known = all.get(mask);
    const ofMask = known ?? new Map<number, Made>();
    if (known === undefined) all.set(mask, ofMask);
    const before = ofMask.get(number);
    if (before !== undefined) return before;
    const made = make(mask, number);
    if (ofMask.size < numbersMax) ofMask.set(number, made);
    return made;
  };
}
