import { isatty } from 'node:tty';

/**
 * Signals that come while a service's code is still being loaded. Left to the system they would end it, SIGHUP as well, or never
 * reach the first process of a container, which would begin to serve while somebody waits for its end.
 */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const early: NodeJS.Signals[] = [];

function keep(signal: NodeJS.Signals): void {
  early.push(signal);
}

/** Keeps signals until `takeEarlySignals`. Whoever starts a service in a terminal expects it to end with the terminal. */
export function keepEarlySignals(): void {
  for (const signal of signals) if (signal !== 'SIGHUP' || !isatty(0)) process.on(signal, keep);
}

/** Hands what came meanwhile to those who listen by now, and keeps no more. */
export function takeEarlySignals(): void {
  for (const signal of signals) process.off(signal, keep);
  for (const signal of early.splice(0)) process.emit(signal, signal);
}
