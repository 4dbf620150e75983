import { createHash } from 'node:crypto';

/**
 * An address of a coin with base58check: Bitcoin and its test net (version 0, 5, 111, 196), Dash (16, 76), Dogecoin (22, 30),
 * Litecoin (48, 50), Tron (65); or a segregated-witness address of Bitcoin.
 */
export function btc(hit: string): boolean {
  return base58CheckHolds(hit) || segwitHolds(hit);
}

/** Base58check (Bitcoin wiki, *Base58Check encoding*): 25 bytes, the last four the start of SHA-256 taken twice. */
function base58CheckHolds(hit: string): boolean {
  if (hit.length < 26 || hit.length > 35) return false;
  const bytes = new Uint8Array(25);
  for (const character of hit) {
    let carry = base58Alphabet.indexOf(character);
    if (carry < 0) return false;
    for (let i = bytes.length - 1; i >= 0; i--) {
      carry += bytes[i] * 58;
      bytes[i] = carry & 0xff;
      carry >>= 8;
    }
    if (carry > 0) return false;
  }
  if (!base58Versions.has(bytes[0])) return false;
  const digest = sha256(sha256(bytes.subarray(0, 21)));
  return bytes.subarray(21).every((byte, i) => byte === digest[i]);
}

const base58Versions: ReadonlySet<number> = new Set([0, 5, 111, 196, 16, 76, 22, 30, 48, 50, 65]);

/** Bech32 (BIP 173) for witness version 0, bech32m (BIP 350) for versions 1 to 16; program of 2 to 40 bytes. */
function segwitHolds(hit: string): boolean {
  const text = hit.toLowerCase();
  if (text !== hit && hit.toUpperCase() !== hit) return false;
  const prefix = text.startsWith('bcrt1') ? 'bcrt' : text.slice(0, 2);
  if (hit.length > 90 || !['bc', 'tb', 'bcrt'].includes(prefix) || text[prefix.length] !== '1') return false;
  const values = Array.from(text.slice(prefix.length + 1), (character) => bech32Alphabet.indexOf(character));
  if (values.length < 8 || values.includes(-1)) return false;
  const bits = (values.length - 7) * 5;
  const bytes = Math.floor(bits / 8);
  const version = values[0];
  if (version > 16 || bytes < 2 || bytes > 40 || bits % 8 > 4) return false;
  if (version === 0 && bytes !== 20 && bytes !== 32) return false;
  const codes = Array.from(prefix, (character) => character.charCodeAt(0));
  const head = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
  return bech32Polymod([...head, ...values]) === (version === 0 ? 1 : 0x2bc830a3);
}

function bech32Polymod(values: readonly number[]): number {
  const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    generator.forEach((term, i) => {
      if ((top >> i) & 1) check ^= term;
    });
  }
  return check;
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const bech32Alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
