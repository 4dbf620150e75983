/** What may have become of a file of a cache: a name, and its bytes after that. */
export const damages: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ['damaged', (bytes) => bytes.fill(0x55, bytes.length >> 1, (bytes.length >> 1) + 4)],
  ['cut off', (bytes) => bytes.subarray(0, 1_000)],
  ['empty', () => Buffer.alloc(0)],
  ['foreign', () => Buffer.from('\x7fELF and more')],
];
