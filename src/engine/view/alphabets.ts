/** Value of each ASCII unit in base64, of either spelling, or −1. */
export const base64Values: Int8Array = valuesOf(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  '-_',
);
export const base32Values: Int8Array = valuesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');

/** Value of each ASCII unit in an alphabet, or −1; `others` are other spellings of the last values. */
function valuesOf(alphabet: string, others = ''): Int8Array {
  const values = new Int8Array(128).fill(-1);
  for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i;
  for (let i = 0; i < others.length; i++) values[others.charCodeAt(i)] = alphabet.length - others.length + i;
  return values;
}

/** Value of a hex digit, or −1. */
export function hexDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
