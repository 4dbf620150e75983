import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import { once } from '../domain/once.js';

/**
 * Counts failed attempts to sign in, by e-mail and by address, in windows that begin with the first one. An attempt is
 * counted before its password is checked, so that many at once are no way around; a success takes it back, and so does a
 * password that could not be checked.
 */
export interface SignInThrottle {
  /** Counts an attempt. Throws `rate_limited`, which says when to try again. */
  admit(email: string, address: string, now: number): void;
  /** Forgets the attempts with this e-mail, and this one from the address. */
  succeeded(email: string, address: string): void;
  /** Forgets this attempt: whether its password is right was not found out. */
  undecided(email: string, address: string): void;
}

interface Window {
  attempts: number;
  readonly endsAt: number;
}

export function createSignInThrottle(): SignInThrottle {
  // Made with the first attempt: room for so many takes a start some milliseconds.
  const byEmail = once(() => new LRUCache<string, Window>({ max: limits.signInKeysMax }));
  const byAddress = once(() => new LRUCache<string, Window>({ max: limits.signInKeysMax }));
  return {
    admit(email, address, now) {
      const counted = [
        { windows: byEmail(), key: email.toLowerCase(), max: limits.signInsPerEmailMax },
        { windows: byAddress(), key: networkOf(address), max: limits.signInsPerAddressMax },
      ].map(({ windows, key, max }) => ({ windows, key, max, window: runningWindow(windows, key, now) }));
      const full = counted.flatMap(({ window, max }) =>
        window && window.attempts >= max ? [{ endsAt: window.endsAt, max }] : [],
      );
      const [last] = full.sort((one, other) => other.endsAt - one.endsAt);
      if (last) {
        const retryAfterSeconds = Math.max(1, Math.ceil((last.endsAt - now) / 1_000));
        const spent = { name: 'sign-in', attempts: last.max, windowSeconds: limits.signInWindowMs / 1_000 };
        throw new GuardError('rate_limited', 'Too many attempts to sign in.', [], { retryAfterSeconds, spent });
      }
      // Only now, or an address that is refused could push out the counts of others.
      for (const { windows, key, window } of counted) {
        if (window) window.attempts++;
        else windows.set(key, { attempts: 1, endsAt: now + limits.signInWindowMs });
      }
    },
    succeeded(email, address) {
      byEmail().delete(email.toLowerCase());
      takeBack(byAddress(), networkOf(address));
    },
    undecided(email, address) {
      takeBack(byEmail(), email.toLowerCase());
      takeBack(byAddress(), networkOf(address));
    },
  };
}

function takeBack(windows: LRUCache<string, Window>, key: string): void {
  const window = windows.get(key);
  if (window !== undefined && window.attempts > 0) window.attempts--;
}

function runningWindow(windows: LRUCache<string, Window>, key: string, now: number): Window | undefined {
  const found = windows.get(key);
  return found !== undefined && now < found.endsAt ? found : undefined;
}

/** Who has one IPv6 address has the whole /64 around it. An IPv4 address in IPv6 form stands for itself. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // The URL parser writes every form of an address in one way, without leading zeros and with hexadecimal groups only.
  const [head, tail = ''] = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after];
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return (isMapped ? groups.slice(6) : groups.slice(0, 4)).join(':');
}
