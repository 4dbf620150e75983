import { type FieldError, type GuardError, invalidInput } from '../domain/errors.js';

/** What is wrong with one argument of a use case; undefined where nothing is. `message` follows its name in a sentence. */
export type Wrong = FieldError | undefined;

/** Those of several arguments that are wrong, so that one error can name them all. */
export function gathered(...found: readonly Wrong[]): readonly FieldError[] {
  return found.filter((wrong) => wrong !== undefined);
}

/** Throws one `invalid_input` that names all arguments that are wrong. */
export function refuse(...found: readonly Wrong[]): void {
  const wrong = gathered(...found);
  if (wrong.length > 0) throw invalidInput(wrong);
}

/** The error for one wrong argument. `message` completes the sentence that begins with the argument's name. */
export function invalid(pointer: string, message: string): GuardError {
  return invalidInput([{ pointer, message }]);
}

/** Longest name of anything that people name, in code points, as JSON Schema counts. */
const nameLengthMax = 128;

/** A text can name something where it is not blank, has no control character or lone surrogate, and at most 128 code points. */
export function wrongName(pointer: string, name: string): Wrong {
  if (name.trim() === '') return { pointer, message: 'must not be blank' };
  if ([...name].length > nameLengthMax) return { pointer, message: `must have at most ${nameLengthMax} characters` };
  if (!/[\p{Cc}\p{Cs}]/u.test(name)) return undefined;
  return { pointer, message: 'must hold neither a control character nor a lone surrogate' };
}
