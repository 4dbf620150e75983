import { writeSync } from 'node:fs';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** Writes bytes from a place on, and gives how many were taken. Throws as `writeSync` does. */
type Put = (bytes: Uint8Array, from: number) => number;

/** So long a write waits for a reader that takes nothing; where it was in vain, those behind it do not wait. */
const waitMsMax = 1_000;

/**
 * Standard error for log lines. It throws nothing, and holds the process up for a second where nobody reads on or the disk is
 * full: what it could not write by then is counted and left out, and `lostLines` told how many lines that were as soon as there
 * is room again. A verdict must not wait for a log.
 *
 * No two threads of the process write at once: a pipe takes more than 4 KB in pieces while its reader is slow, and those
 * of one thread would come to stand within the lines of another.
 */
export class StandardError {
  private readonly lostLines: (count: number) => string;
  private readonly put: Put;
  private lost = 0;
  private isStalled = false;

  /** Tests have a `put` of their own. */
  constructor(lostLines: (count: number) => string, put: Put = putNow) {
    this.lostLines = lostLines;
    this.put = put;
  }

  /** Whole lines, each with its line feed. */
  write(lines: string): void {
    const endMs = this.isStalled ? 0 : performance.now() + waitMsMax;
    if (!takeTurn(endMs) && this.isStalled) {
      this.lost += countLines(Buffer.from(lines));
      this.isStalled = false;
      return;
    }
    // Where the turn did not come in a second, whoever has it ended in the midst of it.
    const isToldOf = this.lost === 0 || this.writeAll(this.lostLines(this.lost), endMs) === 0;
    this.lost = isToldOf ? this.writeAll(lines, endMs) : this.lost + countLines(Buffer.from(lines));
    this.isStalled = this.lost > 0;
    endTurn();
  }

  /** Gives how many lines were left out. */
  private writeAll(lines: string, endMs: number): number {
    // Somebody gave up within a line: it stays broken, those behind it are whole.
    const ending = Atomics.load(shared, isTorn) === 1 ? '\n' : '';
    const bytes = Buffer.from(ending + lines);
    let written = 0;
    while (written < bytes.length) {
      const taken = this.tryPut(bytes, written);
      written += taken ?? 0;
      if (taken === undefined || (taken === 0 && !pause(endMs))) break;
    }
    if (written > 0) Atomics.store(shared, isTorn, bytes[written - 1] === lineFeed ? 0 : 1);
    return countLines(bytes.subarray(Math.max(written, ending.length)));
  }

  /** 0 where there is no room now, undefined where nothing can be written. */
  private tryPut(bytes: Uint8Array, from: number): number | undefined {
    try {
      return this.put(bytes, from);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : undefined;
    }
  }
}

const lineFeed = 10;

function countLines(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => count + (byte === lineFeed ? 1 : 0), 0);
}

/** Pipes do not block once Node.js has made its own stream of them, whoever writes. */
function putNow(bytes: Uint8Array, from: number): number {
  void process.stderr;
  return writeSync(2, bytes, from);
}

/** Whether a thread writes now, and whether what was written last ends within a line. One for all threads: each is given that of the one that starts it. */
const shared = environmentCell('merlon.standard-error');
const isWriting = 0;
const isTorn = 1;

function environmentCell(name: string): Int32Array {
  const cell = (getEnvironmentData(name) as Int32Array | undefined) ?? new Int32Array(new SharedArrayBuffer(8));
  setEnvironmentData(name, cell);
  return cell;
}

/** False where another thread has not ended its turn in time. */
function takeTurn(endMs: number): boolean {
  while (Atomics.compareExchange(shared, isWriting, 0, 1) !== 0) {
    if (!pause(endMs)) return false;
  }
  return true;
}

function endTurn(): void {
  Atomics.store(shared, isWriting, 0);
}

const never = new Int32Array(new SharedArrayBuffer(4));

/** A millisecond; false where the time is over. */
function pause(endMs: number): boolean {
  if (performance.now() >= endMs) return false;
  Atomics.wait(never, 0, 0, 1);
  return true;
}
