/** Whether a diagnostic keeps rules from being loaded or saved: `E…` does, `W…` does not. */
export function isError({ code }: { readonly code: string }): boolean {
  return code.startsWith('E');
}
