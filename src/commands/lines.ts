import { accessSync, constants, createReadStream, readFileSync, type Stats, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { decodeUtf8, type TextPlace } from '../domain/utf8.js';
import { note, UsageError, unreadable } from './terminal.js';

/** Longest line that bulk scanning reads; a longer one is an error of that line. */
const lineBytesMax = 64 * 1024 * 1024;

/** One line of a file or stream: its bytes, or undefined where it was longer than `lineBytesMax`. Lines count from 1. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer | undefined;
  /** Bytes read up to the end of this line. */
  readonly position: number;
}

/** Opens a file that `argument` named, or standard input for `-`. `size` is undefined where it is not known. Throws `UsageError`. */
export function openInput(
  path: string,
  argument: string,
): { readonly stream: Readable; readonly size: number | undefined } {
  if (path === '-') return { stream: standardInput(), size: undefined };
  let file: Stats;
  try {
    accessSync(path, constants.R_OK);
    file = statSync(path);
  } catch (error) {
    throw unreadable(path, error, argument);
  }
  if (file.isDirectory()) throw new UsageError(`${argument}: ${path} is a folder`);
  const stream = createReadStream(path, { highWaterMark: 256 * 1024 });
  return { stream, size: file.isFile() ? file.size : undefined };
}

/**
 * The whole text of a file, or of standard input for `-`: UTF-8, in which what is none is replaced, or UTF-16 where it begins
 * with its byte order mark. Throws `UsageError`.
 */
export function readText(path: string): Promise<string> {
  return readAs(path, 'FILE', (bytes) => bytes.toString('utf8'));
}

/** The same of a file that `argument` named and in which nothing may be replaced; or the place of what is no UTF-8. */
export function readWholeText(path: string, argument: string): Promise<string | TextPlace> {
  return readAs(path, argument, decodeUtf8);
}

async function readAs<T>(path: string, argument: string, decode: (bytes: Buffer) => T): Promise<string | T> {
  try {
    if (path !== '-') return textOf(readFileSync(path), decode);
    // Not by its descriptor: a pipe that somebody has made non-blocking has nothing to read at times (EAGAIN).
    const parts: Buffer[] = [];
    if (!process.stdin.readableEnded) for await (const part of standardInput()) parts.push(Buffer.from(part));
    return textOf(Buffer.concat(parts), decode);
  } catch (error) {
    if (tooLong.some((code) => error instanceof Error && 'code' in error && error.code === code)) {
      throw new UsageError(
        `${argument}: ${path} is too long for one text (512 MB); take it in pieces, or as lines with --jsonl`,
      );
    }
    throw unreadable(path, error, argument);
  }
}

/** Whoever forgot to name a file sits before a terminal that does nothing. */
function standardInput(): Readable {
  if (process.stdin.isTTY)
    note(`reading standard input until its end (${process.platform === 'win32' ? 'Ctrl-Z and Enter' : 'Ctrl-D'})`);
  return process.stdin;
}

/** What Node.js says of a text that is longer than any string, and of a file that is longer than any buffer. */
const tooLong = ['ERR_STRING_TOO_LONG', 'ERR_FS_FILE_TOO_LARGE'];

/** PowerShell and Notepad write UTF-16, and in its zeros no rule would find anything. The mark stays where it is. */
function textOf<T>(bytes: Buffer, decode: (bytes: Buffer) => T): string | T {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark === 0xfffe) return bytes.toString('utf16le');
  if (mark === 0xfeff)
    return bytes
      .subarray(0, bytes.length & ~1)
      .swap16()
      .toString('utf16le');
  return decode(bytes);
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
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
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
