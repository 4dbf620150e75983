/** The code by which the system tells why something failed, such as `ENOENT`; `otherwise` where it tells none. */
export function systemCodeOf(error: unknown, otherwise = 'unknown reason'): string {
  return error instanceof Error && 'code' in error ? String(error.code) : otherwise;
}
