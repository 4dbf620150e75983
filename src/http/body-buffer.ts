/**
 * Collects the chunks of a body. Grows by doubling from what was announced, or from 16 KiB; asks the caller to stop
 * adding at its limit. Chunks are copied, because the front end takes their memory back.
 */
export class BodyBuffer {
  #bytes: Uint8Array;
  #length = 0;

  /** `expected`: announced length in bytes, if the head told it. Trusted as a hint only, up to `hintBytesMax`. */
  constructor(expected: number | undefined) {
    this.#bytes = new Uint8Array(Math.min(expected ?? firstBytes, hintBytesMax));
  }

  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const needed = this.#length + chunk.byteLength;
    if (needed > this.#bytes.byteLength) {
      const larger = new Uint8Array(Math.max(needed, this.#bytes.byteLength * 2));
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

const firstBytes = 16 * 1024;
/** Memory is not given on a mere announcement, or many idle connections could claim it all. */
const hintBytesMax = 256 * 1024;
