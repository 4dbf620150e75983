import { accessSync, constants, createReadStream, readFileSync, type Stats, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { UsageError, unreadable } from './terminal.js';

/** Longest line that bulk scanning reads; a longer one is an error of that line. */
const lineBytesMax = 64 * 1024 * 1024;

/** One line of a file or stream: its bytes, or undefined where it was longer than `lineBytesMax`. Lines count from 1. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer | undefined;
  /** Bytes read up to the end of this line. */
  readonly position: number;
}

/** Opens a file, or standard input for `-`. `size` is undefined where it is not known. Throws `UsageError`. */
export function openInput(path: string): { readonly stream: Readable; readonly size: number | undefined } {
  if (path === '-') return { stream: process.stdin, size: undefined };
  let file: Stats;
  try {
    accessSync(path, constants.R_OK);
    file = statSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
  if (file.isDirectory()) throw new UsageError(`FILE: ${path} is a folder`);
  const stream = createReadStream(path, { highWaterMark: 256 * 1024 });
  return { stream, size: file.isFile() ? file.size : undefined };
}

/** The whole text of a file, or of standard input for `-`. Throws `UsageError`; `argument` named the file. */
export async function readText(path: string, argument = 'FILE'): Promise<string> {
  try {
    if (path !== '-') return readFileSync(path, 'utf8');
    // Not by its descriptor: a pipe that somebody has made non-blocking has nothing to read at times (EAGAIN).
    const parts: Buffer[] = [];
    if (!process.stdin.readableEnded) for await (const part of process.stdin) parts.push(Buffer.from(part));
    return Buffer.concat(parts).toString('utf8');
  } catch (error) {
    throw unreadable(path, error, argument);
  }
}

/** Splits a stream at line feeds. Memory: one line at the most, and never more than `lineBytesMax` of it. */
export async function* readLines(stream: Readable): AsyncGenerator<Line> {
  let number = 1;
  let position = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const take = (part: Buffer): Line => {
    const length = pendingBytes + part.length;
    const bytes = length > lineBytesMax ? undefined : pending.length > 0 ? Buffer.concat([...pending, part]) : part;
    pending = [];
    pendingBytes = 0;
    return { number: number++, bytes, position };
  };
  for await (const chunk of stream) {
    const block: Buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let from = 0;
    for (let at = block.indexOf(0x0a); at >= 0; at = block.indexOf(0x0a, from)) {
      position += at + 1 - from;
      yield take(block.subarray(from, at));
      from = at + 1;
    }
    const rest = block.subarray(from);
    position += rest.length;
    pendingBytes += rest.length;
    if (pendingBytes > lineBytesMax) pending = [];
    else if (rest.length > 0) pending.push(rest);
  }
  if (pendingBytes > 0) yield take(Buffer.alloc(0));
}

/** True for a line with nothing but white space in it. */
export function isBlank(bytes: Buffer): boolean {
  return bytes.length === 0 || (bytes.length < 16 && bytes.toString('latin1').trim() === '');
}

/** The text of a line, or what is wrong with it. */
export function decodeLine(bytes: Line['bytes']): string | { readonly error: string } {
  if (!bytes) return { error: `the line is longer than ${lineBytesMax} bytes` };
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { error: 'not valid UTF-8' };
  }
}
