import { setImmediate } from 'node:timers/promises';
import type { Message } from '../domain/message.js';

/** Text of one piece of work, in UTF-16 units: some hundredths of a second, in which no signal is heard. */
const pieceUnits = 64 * 1_024;

/** Does some work on every message, in order. Gives the microseconds of processor time that the work alone took. */
export type Pass = (work: (message: Message, index: number) => void) => Promise<number>;

/**
 * Passes over messages that are made `times` times. A pass goes piece by piece: in between signals and timers have their turn,
 * and `step` is told how many units are done, of how many in all passes. A message is never divided.
 */
export function passesOver(
  messages: readonly Message[],
  times: number,
  step: (done: number, all: number) => void,
): Pass {
  const pieces = piecesOf(messages);
  const all = times * pieces.reduce((sum, { units }) => sum + units, 0);
  let done = 0;
  return async (work) => {
    let us = 0;
    for (const { from, to, units } of pieces) {
      us += timeOf(() => {
        for (let index = from; index < to; index++) work(messages[index], index);
      });
      done += units;
      step(done, all);
      await setImmediate();
    }
    return us;
  };
}

/** Some messages that lie side by side: `[from, to)`. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly units: number;
}

function piecesOf(messages: readonly Message[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let units = 0;
  messages.forEach(({ content }, index) => {
    units += content.length;
    if (units < pieceUnits && index < messages.length - 1) return;
    pieces.push({ from, to: index + 1, units });
    from = index + 1;
    units = 0;
  });
  return pieces;
}

/** Microseconds of processor time: on a shared machine the clock on the wall counts the work of others. */
function timeOf(work: () => void): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return user + system;
}
