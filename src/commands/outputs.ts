import { realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../domain/make-folder.js';
import { onInterrupt } from './interrupt.js';
import { UsageError, unwritable } from './terminal.js';

/**
 * The files of one run. They are written under other names and take their own when all are whole: a run that fails, also
 * because the disk is full, or is interrupted leaves those of a former one as they were, for somebody may use or compare
 * with them, and nothing else.
 */
export interface Outputs {
  /** Adds to a file. Throws `UsageError`, as all here do, where it cannot be written. */
  write(name: string, content: string | Uint8Array): Promise<void>;
  publish(): Promise<void>;
  /** Removes what was not published. */
  close(): Promise<void>;
}

interface OutputOptions {
  /** What named the folder or the files, for `UsageError`. */
  readonly argument?: string;
  /** Files that a former run may have written and this one has none of: they go when the others come. */
  readonly outdated?: readonly string[];
}

interface Output {
  readonly path: string;
  readonly partial: string;
  readonly file: FileHandle;
}

/**
 * Opens all files in a folder, which is made where it is missing. A file that is there is replaced where it lies, behind its
 * link, by one of the same mode. Throws `UsageError`.
 */
export async function openOutputs(
  folder: string,
  names: readonly string[],
  { argument = '--out', outdated = [] }: OutputOptions = {},
): Promise<Outputs> {
  const outputs = new Map<string, Output>();
  const attempt = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof UsageError ? error : unwritable(join(folder, name), error, argument);
    }
  };
  const removePartials = () => {
    for (const { partial } of outputs.values()) rmSync(partial, { force: true });
  };
  const heedNoMore = onInterrupt(removePartials);
  const close = async () => {
    heedNoMore();
    for (const { file } of outputs.values()) await file.close().catch(() => undefined);
    removePartials();
    outputs.clear();
  };
  try {
    for (const name of names) {
      await attempt(name, async () => {
        makeFolder(folder);
        const named = join(folder, name);
        const found = statSync(named, { throwIfNoEntry: false });
        if (found?.isDirectory()) throw new UsageError(`${argument}: ${named} is a folder`);
        const path = found ? realpathSync(named) : named;
        // Another run may write to the same folder.
        const partial = `${path}.${process.pid}.partial`;
        outputs.set(name, { path, partial, file: await open(partial, 'w', found && found.mode & 0o777) });
      });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    write: (name, content) => attempt(name, () => outputs.get(name)?.file.appendFile(content)),
    publish: async () => {
      for (const [name, { file }] of outputs) {
        await attempt(name, async () => {
          // Some disks say only now that they are full.
          await file.sync();
          await file.close();
        });
      }
      for (const [name, { path, partial }] of outputs) await attempt(name, () => renameSync(partial, path));
      for (const name of outdated) await attempt(name, () => rmSync(join(folder, name), { force: true }));
      outputs.clear();
    },
    close,
  };
}

/** Writes files whose contents are there already. */
export async function writeOutputs(
  folder: string,
  contents: Readonly<Record<string, string | Uint8Array>>,
  options: OutputOptions = {},
): Promise<void> {
  const outputs = await openOutputs(folder, Object.keys(contents), options);
  try {
    for (const [name, content] of Object.entries(contents)) await outputs.write(name, content);
    await outputs.publish();
  } finally {
    await outputs.close();
  }
}
