import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from '../engine/program.js';
import { decodeProgram, memoryOf, ProgramFormatError } from '../engine/program-layout.js';
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
  save(packs: readonly FileBytes[], program: Program): void;
  /** What the rules of a folder were compiled to, one by one. */
  openRules(rulesFolder: string): RuleCache;
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
        if (error instanceof ProgramFormatError || isSystemError(error)) return undefined;
        throw error;
      }
    },
    save: (packs, program) => {
      const file = fileOf(packs);
      keepFile(file, new Uint8Array(program.memory.buffer).slice(0, program.bytesLength), suffix, programsMax);
    },
    openRules: (rulesFolder) => openRuleCache(folder, compilerId, rulesFolder),
  };
}

/**
 * Piece by piece through a small buffer: where the kernel itself is the first to touch the pages of fresh memory, the
 * process has to ask for each of them once more, which on virtual machines takes longer than reading the file.
 */
function readMemory(path: string): WebAssembly.Memory {
  const file = openSync(path, 'r');
  try {
    const piece = new Uint8Array(pieceBytes);
    return memoryOf(fstatSync(file).size, (bytes) => {
      for (let at = 0, read = 1; read > 0 && at < bytes.length; at += read) {
        read = readSync(file, piece, 0, Math.min(pieceBytes, bytes.length - at), null);
        bytes.set(piece.subarray(0, read), at);
      }
    });
  } finally {
    closeSync(file);
  }
}
