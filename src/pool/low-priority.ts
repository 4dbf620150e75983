import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Niceness of threads whose work can wait: where both want one core, two thirds of a serving thread's share. More made small
 * requests no faster, and starved large scans beside other work on the machine.
 */
const niceness = 2;

/**
 * Lets the calling thread work behind those that serve requests: what it does takes milliseconds, what waits for them takes
 * microseconds. On Linux, where a priority is a thread's (`man 2 setpriority`); elsewhere, and where it is forbidden, nothing changes.
 */
export function workBehindServing(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, niceness);
  } catch {
    // A system without /proc, or a sandbox. Scans are the same, only the wait beside large ones is longer.
  }
}
