/**
 * Collects the chunks of a body, in memory that is at most twice what came (a body of ten bytes that drip in must not cost
 * what it announced, or many slow connections could claim all memory), and 1 KiB at the least. The caller stops adding at
 * its limit. Chunks are copied, because the front end takes their memory back.
 */
export class BodyBuffer {
  readonly #expected: number;
  #bytes = new Uint8Array(firstBytes);
  #length = 0;

  /** `expected`: announced length in bytes, if the head told it. Growth stops there as long as no more comes. */
  constructor(expected: number | undefined) {
    this.#expected = expected ?? Number.POSITIVE_INFINITY;
  }

  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const needed = this.#length + chunk.byteLength;
    if (needed > this.#bytes.byteLength) {
      const doubled = Math.min(this.#bytes.byteLength * 2, this.#expected);
      const larger = new Uint8Array(Math.max(needed, doubled));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = needed;
  }

  /** What was collected so far; shares memory with the buffer. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

const firstBytes = 1_024;
