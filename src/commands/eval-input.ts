import { type Stats, statSync } from 'node:fs';
import { filesBelow } from '../rules/files-below.js';
import { decodeLine, isBlank, openInput, readLines } from './lines.js';
import type { Progress } from './progress.js';
import { UsageError, unreadable } from './terminal.js';

/** The files that the paths name: themselves, and of folders every `.jsonl` below, ordered by name. Throws `UsageError`. */
export function labelledFiles(paths: readonly string[]): readonly string[] {
  const files = paths.flatMap((path) => {
    if (path === '-' || !isFolder(path)) return [path];
    const found = filesBelow(path, (below, error) => {
      throw unreadable(below, error, '--data');
    }).filter((file) => /\.jsonl$/i.test(file));
    if (found.length === 0) throw new UsageError(`--data: there is no .jsonl file in ${path}`);
    return found;
  });
  return files;
}

/** Bytes of all files together; undefined where one is no file with a size, such as standard input. Throws `UsageError`. */
export function bytesOf(files: readonly string[]): number | undefined {
  const found = files.map((file) => (file === '-' ? undefined : statOf(file)));
  return found.every((each) => each?.isFile() === true)
    ? found.reduce((sum, each) => sum + (each?.size ?? 0), 0)
    : undefined;
}

/** A line of a file: what was read of it, or what is wrong with it. */
export interface ReadLine<T> {
  readonly file: string;
  readonly line: number;
  readonly value?: T;
  readonly error?: string;
}

/**
 * Reads file after file, line by line, with a reader that gives what it read or, as a text, what is wrong. Blank lines
 * are passed over. Throws `UsageError` for a file that cannot be read.
 */
export async function* readFiles<T extends object>(
  files: readonly string[],
  read: (text: string) => T | string,
  progress: Progress,
): AsyncGenerator<ReadLine<T>> {
  let before = 0;
  for (const file of files) {
    let position = 0;
    for await (const line of readLines(openInput(file, '--data').stream)) {
      position = line.position;
      progress.advance(before + position);
      if (line.bytes && isBlank(line.bytes)) continue;
      const at = { file, line: line.number };
      const text = decodeLine(line.bytes);
      const value = typeof text === 'string' ? read(text) : text.error;
      yield typeof value === 'string' ? { ...at, error: value } : { ...at, value };
    }
    before += position;
  }
}

function isFolder(path: string): boolean {
  return statOf(path).isDirectory();
}

function statOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw unreadable(path, error, '--data');
  }
}
