import { randomBytes, randomInt } from 'node:crypto';

/** The name of a new scan. */
export interface NewScan {
  /** `scan_` and the 32 hex digits of a UUIDv7: ids sort by time of creation. */
  readonly id: string;
  /** Milliseconds since the Unix epoch, those of the id. Never goes back, also where the system's clock is set back. */
  readonly createdAt: number;
}

/*
 * A UUIDv7 (RFC 9562, section 6.2, methods 1 and 3), in hex digits:
 *
 *   12  milliseconds
 *    1  7
 *    3  counter, high 12 bits     the counter begins anew each millisecond, at random in its lower half, and counts up
 *    4  10, counter, low 14 bits
 *   12  random
 */
const counterEnd = 2 ** 26;
const lowBits = 14;
const lowMask = 2 ** lowBits - 1;
const randomDigits = 12;
/** Random digits made at once: a call to the system's source costs as much for one id as for many. */
const poolDigits = 256 * randomDigits;

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** So far a clock may go back and be waited for; one that was set right by more than that is believed. */
const setBackMsMax = 60_000;

/**
 * Gives a maker of ids, each greater than all that it made before, but for a clock that was set back by more than a minute. One for
 * each thread will do.
 */
export function createScanIds(nowMs: () => number = Date.now): () => NewScan {
  let createdAt = 0;
  let prefix = '';
  let counter = 0;
  let pool = '';
  let used = 0;
  return () => {
    const now = nowMs();
    const isSetBack = now < createdAt - setBackMsMax;
    if (now > createdAt || isSetBack || counter >= counterEnd) {
      createdAt = isSetBack ? now : Math.max(now, createdAt + 1);
      prefix = `scan_${createdAt.toString(16).padStart(12, '0')}7`;
      counter = randomInt(counterEnd / 2);
    }
    if (used === pool.length) {
      pool = randomBytes(poolDigits / 2).toString('hex');
      used = 0;
    }
    const high = counter >> lowBits;
    const low = 0x8000 | (counter & lowMask);
    const random = pool.slice(used, used + randomDigits);
    used += randomDigits;
    counter++;
    // The last three digits of four: the first is 0.
    const counted = (hexPairs[high >> 8] + hexPairs[high & 255]).slice(1);
    return { id: `${prefix}${counted}${hexPairs[low >> 8]}${hexPairs[low & 255]}${random}`, createdAt };
  };
}
