import { createSearcher, type Engine } from '../../src/engine/automaton/searcher.js';
import { allRoles, type Program } from '../../src/engine/program.js';
import { createScanner, type Scanner } from '../../src/engine/scanner.js';

/** A program as its plain twins see it, and as it is run. */
export interface BothEngines {
  /** All of the program's rules. */
  readonly mask: Uint8Array;
  /** Asks every regex of the whole text. */
  readonly plain: Scanner;
  /** With and without the kernel. */
  readonly fast: readonly Scanner[];
  /** What the search with an engine hands out: output and end of each call. */
  callsOf(engine: Engine, text: string): readonly string[];
}

export function bothEngines(program: Program): BothEngines {
  const searchers = { auto: createSearcher(program, 'auto'), js: createSearcher(program, 'js') };
  return {
    mask: new Uint8Array(program.rules.length).fill(1),
    plain: createScanner(program, { prefilter: false }),
    fast: (['auto', 'js'] as const).map((engine) => createScanner(program, { engine })),
    callsOf: (engine, text) => {
      const calls: string[] = [];
      searchers[engine].search(text, allRoles, (output, end) => calls.push(`${output} ${end}`));
      return calls;
    },
  };
}
