import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Program } from '../engine/program.js';
import { decodeProgram, memoryFor, ProgramFormatError } from '../engine/program-layout.js';
import { isSystemError, keepFile } from './cache-files.js';
import type { FileBytes } from './read.js';
import { openRuleCache, type RuleCache } from './rule-cache.js';

/** Programs kept where the caller names no other number; the ones written longest ago go first. */
const programsMaxDefault = 8;
const suffix = '.program';
const pieceBytes = 256 * 1_024;

/**
 * Compiled programs on disk, keyed by everything that they were compiled from. A file that is damaged, foreign or of
 * another format is passed over and written anew; the folder is the user's own and closed to others. Failures to
 * read or write it cost time, nothing else.
 */
export interface ProgramCache {
  find(packs: readonly FileBytes[]): Program | undefined;
  /** The same, read while this thread does something else. */
  findApart(packs: readonly FileBytes[]): Promise<Program | undefined>;
  save(packs: readonly FileBytes[], program: Program): void;
  /** What rules were compiled to, one by one. */
  openRules(): RuleCache;
}

/** `compilerId` names the build of the compiler: another build may compile the same rules differently. */
export function openProgramCache(
  folder: string,
  compilerId: string,
  programsMax: number = programsMaxDefault,
): ProgramCache {
  const fileOf = (packs: readonly FileBytes[]): string => {
    const hash = createHash('sha256').update(compilerId);
    for (const { file, bytes } of packs) hash.update(`\0${file}\0${bytes.length}\0`).update(bytes);
    return join(folder, `${hash.digest('hex').slice(0, 32)}${suffix}`);
  };
  return {
    find: (packs) => {
      try {
        return decodeProgram(readMemory(fileOf(packs)));
      } catch (error) {
        return noneBecauseOf(error);
      }
    },
    findApart: async (packs) => {
      try {
        return decodeProgram(await readMemoryApart(fileOf(packs)));
      } catch (error) {
        return noneBecauseOf(error);
      }
    },
    save: (packs, program) => {
      const file = fileOf(packs);
      keepFile(file, new Uint8Array(program.memory.buffer).slice(0, program.bytesLength), suffix, programsMax);
    },
    openRules: () => openRuleCache(folder, compilerId),
  };
}

function noneBecauseOf(error: unknown): undefined {
  if (!(error instanceof ProgramFormatError || isSystemError(error))) throw error;
}

/**
 * Piece by piece through a small buffer: where the kernel itself is the first to touch the pages of fresh memory, the
 * process has to ask for each of them once more, which on virtual machines takes longer than reading the file.
 */
function readMemory(path: string): WebAssembly.Memory {
  const file = openSync(path, 'r');
  try {
    const { memory, bytes } = memoryOf(file);
    const piece = new Uint8Array(pieceBytes);
    for (let at = 0, got = 1; got > 0 && at < bytes.length; at += got) {
      got = readSync(file, piece, 0, Math.min(pieceBytes, bytes.length - at), null);
      bytes.set(piece.subarray(0, got), at);
    }
    return memory;
  } finally {
    closeSync(file);
  }
}

/** In one piece, because this thread would have to ask for the next one. A file that is cut short meanwhile is a damaged program. */
async function readMemoryApart(path: string): Promise<WebAssembly.Memory> {
  const file = openSync(path, 'r');
  try {
    const { memory, bytes } = memoryOf(file);
    await promisify(read)(file, bytes, 0, bytes.length, 0);
    return memory;
  } finally {
    closeSync(file);
  }
}

function memoryOf(file: number): { readonly memory: WebAssembly.Memory; readonly bytes: Uint8Array } {
  const { size } = fstatSync(file);
  const memory = memoryFor(size);
  return { memory, bytes: new Uint8Array(memory.buffer, 0, size) };
}
