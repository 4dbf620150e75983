/*
 * Hex digits by hand: `Buffer.from(text, 'hex')` and its relatives cost a call and an allocation each, 0.1 to 0.2 µs, and
 * every record has three such texts.
 */
const invalid = 0xff;
const values = new Uint8Array(128).fill(invalid);
for (let value = 0; value < 16; value++) values[value.toString(16).charCodeAt(0)] = value;

/** Writes the bytes of lowercase hex digits; false where others are met, and then what was written is no good. */
export function writeHex(target: Uint8Array, at: number, text: string, from: number, bytes: number): boolean {
  let seen = 0;
  for (let i = 0; i < bytes; i++) {
    const high = digit(text, from + 2 * i);
    const low = digit(text, from + 2 * i + 1);
    seen |= high | low;
    target[at + i] = (high << 4) | low;
  }
  return seen < 16;
}

const dash = '-'.charCodeAt(0);

/** Writes the 16 bytes of a lowercase UUID; false for any other text, as in `writeHex`. */
export function writeUuid(target: Uint8Array, at: number, text: string): boolean {
  return (
    text.length === 36 &&
    text.charCodeAt(8) === dash &&
    text.charCodeAt(13) === dash &&
    text.charCodeAt(18) === dash &&
    text.charCodeAt(23) === dash &&
    writeHex(target, at, text, 0, 4) &&
    writeHex(target, at + 4, text, 9, 2) &&
    writeHex(target, at + 6, text, 14, 2) &&
    writeHex(target, at + 8, text, 19, 2) &&
    writeHex(target, at + 10, text, 24, 6)
  );
}

const scratch = new Uint8Array(16);

/** Whether a text is a lowercase UUID. */
export function isUuid(text: string): boolean {
  return writeUuid(scratch, 0, text);
}

/** The UUID of 16 bytes. */
export function uuidText(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The value of a digit; 128 or more for what is none. */
function digit(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 128 ? values[unit] : invalid;
}
