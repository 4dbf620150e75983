import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import { refuse, type Wrong } from './wrong-arguments.js';

const passwordLengthMin = 12;
/** In code points, as JSON Schema counts. Longer ones are refused, not cut off: hashing takes time with their length. */
export const passwordLengthMax = 1_024;

/** Cost of a hash as OWASP's password storage cheat sheet has it for argon2id (19 MiB, two passes); 20 to 50 ms. */
const argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of that cost that no password is known to have: checking against it takes as long as against any other. */
const nobodysHash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Hashes and checks passwords on threads of the system's pool, `running` at once: each takes 19 MiB, and the store's
 * commits need threads of the same pool. Beyond `waiting` more the answer is `overloaded`.
 */
export interface Passwords {
  /** argon2id in PHC string form. Throws `invalid_input` that names `pointer` for a length that is not allowed. */
  hash(password: string, pointer?: string): Promise<string>;
  /** False, after the same time, where there is no hash. */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>;
}

export function createPasswords(
  running: number = limits.passwordsRunningMax,
  waiting: number = limits.passwordsWaitingMax,
): Passwords {
  let free = running;
  const queue: (() => void)[] = [];
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else if (queue.length >= waiting) throw new GuardError('overloaded', 'Too many passwords are being checked.');
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else free++;
    }
  };
  return {
    async hash(password, pointer = '/password') {
      refuse(wrongPassword(password, pointer));
      const { hash } = await import('@node-rs/argon2');
      return inTurn(() => hash(normalized(password), argon2Cost));
    },
    async verify(passwordHash, password) {
      const { verify } = await import('@node-rs/argon2');
      const matches = (given: string) => inTurn(() => verify(passwordHash ?? nobodysHash, given));
      const usual = normalized(password);
      // As it was typed: hashes of before passwords were normalized.
      const isRight = (await matches(usual)) || (usual !== password && (await matches(password)));
      return isRight && passwordHash !== undefined;
    },
  };
}

/** Keyboards write the same letters in several ways; NIST SP 800-63B section 5.1.1.2 asks for one. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

/** A password has as many code points as it may; `pointer` names the argument. */
export function wrongPassword(password: string, pointer = '/password'): Wrong {
  const { length } = [...password];
  if (length >= passwordLengthMin && length <= passwordLengthMax) return undefined;
  return { pointer, message: `must have ${passwordLengthMin} to ${passwordLengthMax} characters` };
}
