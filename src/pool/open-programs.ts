import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { limits } from '../domain/limits.js';

/**
 * The programs that this thread opens one after the other. A program's memory and the regexes compiled for it lie outside of V8's heap, so V8
 * sees nothing that were worth collecting when the rules change again and again, and would hold dozens of them, 50 MB each.
 */
export interface OpenPrograms {
  /** To be called before a program is opened: where too many of those before have not been collected, they are, which takes some 50 ms. */
  open(memory: WebAssembly.Memory): void;
}

export function createOpenPrograms(): OpenPrograms {
  let there = 0;
  const collected = new FinalizationRegistry<undefined>(() => {
    there--;
  });
  return {
    open: (memory) => {
      if (there >= limits.openProgramsMax) collectGarbage();
      there++;
      collected.register(memory, undefined);
    },
  };
}

let collect: (() => void) | undefined;

/** What `--expose-gc` gives: Node has no other way to ask for it once a process runs. */
function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
