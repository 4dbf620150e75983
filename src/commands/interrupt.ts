import { constants } from 'node:os';

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `clean` where Ctrl-C, SIGTERM or a terminal that closes ends the process, which then exits as a shell says of those;
 * until what it gives is called. Work that never waits is ended when it does.
 */
export function onInterrupt(clean: () => void): () => void {
  const end = (signal: NodeJS.Signals) => {
    clean();
    // Not before all who have something to clean have heard of it.
    process.nextTick(() => process.exit(128 + constants.signals[signal]));
  };
  for (const signal of endings) process.on(signal, end);
  return () => {
    for (const signal of endings) process.off(signal, end);
  };
}
