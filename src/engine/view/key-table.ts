/** Slots for hashes, by open addressing. 0 is the hash of nothing: it stands for a free slot. */
export class KeyTable {
  readonly size: number;
  private readonly keys: Int32Array;
  private readonly shift: number;

  /** Of `2 ** slotBits` slots, more than there will be keys. */
  constructor(slotBits: number) {
    this.size = 2 ** slotBits;
    this.keys = new Int32Array(this.size);
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
