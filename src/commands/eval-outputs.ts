import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { onInterrupt } from './interrupt.js';
import { UsageError, unwritable } from './terminal.js';

export const casesName = 'cases.jsonl';
export const changesName = 'changes.jsonl';

/**
 * The files of one evaluation. They are written under other names and take their own when all are whole: a run that
 * fails or is interrupted leaves those of a former one as they were, for somebody may compare with them, and nothing else.
 */
export interface EvalOutputs {
  /** Adds to a file. Throws `UsageError`, as all here do, where it cannot be written. */
  write(name: string, text: string): Promise<void>;
  publish(): Promise<void>;
  /** Removes what was not published. */
  close(): Promise<void>;
}

/**
 * Opens all files in a folder, which is made where it is missing; of a former run's `changes.jsonl`, which would speak of
 * other files, nothing is left where this run has none. Throws `UsageError` naming `--out`.
 */
export async function openOutputs(folder: string, names: readonly string[]): Promise<EvalOutputs> {
  const files = new Map<string, FileHandle>();
  const pathOf = (name: string) => join(folder, name);
  const partialOf = (name: string) => `${pathOf(name)}.partial`;
  const attempt = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof UsageError ? error : unwritable(pathOf(name), error);
    }
  };
  const removePartials = () => {
    for (const name of files.keys()) rmSync(partialOf(name), { force: true });
  };
  const heedNoMore = onInterrupt(removePartials);
  const close = async () => {
    heedNoMore();
    for (const file of files.values()) await file.close().catch(() => undefined);
    removePartials();
    files.clear();
  };
  try {
    for (const name of names) {
      await attempt(name, async () => {
        mkdirSync(folder, { recursive: true });
        if (statSync(pathOf(name), { throwIfNoEntry: false })?.isDirectory()) {
          throw new UsageError(`--out: ${pathOf(name)} is a folder`);
        }
        files.set(name, await open(partialOf(name), 'w'));
      });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    write: (name, text) => attempt(name, () => files.get(name)?.appendFile(text)),
    publish: async () => {
      for (const [name, file] of files) await attempt(name, () => file.close());
      for (const name of files.keys()) await attempt(name, () => renameSync(partialOf(name), pathOf(name)));
      if (!files.has(changesName)) await attempt(changesName, () => rmSync(pathOf(changesName), { force: true }));
      files.clear();
    },
    close,
  };
}
