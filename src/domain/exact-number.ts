/** True of a number so large that JSON gives back another one than it was, and of a value that holds one. Recursion is as deep as the value. */
export function losesDigits(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return typeof value === 'object' && value !== null && Object.values(value).some(losesDigits);
}

/** What is said of an `id` that does. */
export const inexactId = '"id" is or holds a number too large to be given back as it is; write it as a string';
