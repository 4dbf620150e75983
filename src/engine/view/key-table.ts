/** Slots for hashes, by open addressing. 0 is the hash of nothing: it stands for a free slot. */
export class KeyTable {
  readonly size: number;
  private readonly shift: number;

  /** Of `2 ** slotBits` slots, more than there will be keys; with the keys of another table of that size, or none. */
  constructor(
    slotBits: number,
    private readonly keys: Int32Array = new Int32Array(2 ** slotBits),
  ) {
    this.size = keys.length;
    this.shift = 32 - slotBits;
  }

  /** The slot of a key, or the free one where it would stand. */
  slotOf(key: number): number {
    const { keys } = this;
    let slot = Math.imul(key, 0x9e3779b1) >>> this.shift;
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & (keys.length - 1);
    return slot;
  }

  isFree(slot: number): boolean {
    return this.keys[slot] === 0;
  }

  take(slot: number, key: number): void {
    this.keys[slot] = key;
  }
}
