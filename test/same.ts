import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/**
 * As `toStrictEqual`, for what a test compares many thousands of times: to say so of what is the same, that takes longer than most of
 * what is compared.
 */
export function expectSame(found: unknown, expected: unknown, message?: string): void {
  if (!isDeepStrictEqual(found, expected)) expect(found, message).toStrictEqual(expected);
}
