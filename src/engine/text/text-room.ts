/**
 * The text that a thread is scanning, as units in the memory of its program. The search writes it there; the gate of the views and models,
 * which come after it, find it and need no copy of their own.
 */
export class TextRoom {
  /** Address of the first unit in the program's memory. */
  readonly at: number;
  readonly units: Uint16Array;
  /** The same, two at a time. */
  readonly pairs: Uint32Array;
  private readonly bytes: Buffer;
  private whole: string | undefined;

  /** `at` is a multiple of 4, and so many units, an even number, are nobody else's. */
  constructor(memory: WebAssembly.Memory, at: number, units: number) {
    this.at = at;
    this.units = new Uint16Array(memory.buffer, at, units);
    this.pairs = new Uint32Array(memory.buffer, at, units / 2);
    this.bytes = Buffer.from(memory.buffer, at, units * 2);
  }

  /** Leaves a part of a text here. */
  write(text: string, from: number, to: number): void {
    const isWhole = from === 0 && to === text.length;
    this.bytes.write(isWhole ? text : text.slice(from, to), 0, 'utf16le');
    this.whole = isWhole ? text : undefined;
  }

  /** True where all of this text stands here as it is. */
  holds(text: string): boolean {
    return this.whole === text;
  }

  /** What stands here is changed. */
  spoil(): void {
    this.whole = undefined;
  }
}
