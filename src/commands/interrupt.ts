/**
 * Runs `clean` where Ctrl-C or SIGTERM ends the process, which then exits as a shell says of those; until what it gives is
 * called. Work that never waits is ended when it does.
 */
export function onInterrupt(clean: () => void): () => void {
  const end = (signal: NodeJS.Signals) => {
    clean();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  return () => {
    process.off('SIGINT', end).off('SIGTERM', end);
  };
}
