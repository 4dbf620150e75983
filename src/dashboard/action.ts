import { useCallback, useState } from 'preact/hooks';
import type { Problem } from './client.js';
import { asProblem } from './resource.js';

/** Something that a person sets off: one at a time, with its failure kept until the next try. */
export interface Action {
  readonly busy: boolean;
  readonly problem: Problem | undefined;
  /** Runs `work` unless something is running; tells whether it succeeded. */
  run(work: () => Promise<void>): Promise<boolean>;
  clear(): void;
}

export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; problem?: Problem }>({ busy: false });
  const run = useCallback(async (work: () => Promise<void>) => {
    setState({ busy: true });
    try {
      await work();
      setState({ busy: false });
      return true;
    } catch (error) {
      setState({ busy: false, problem: asProblem(error) });
      return false;
    }
  }, []);
  const clear = useCallback(() => setState({ busy: false }), []);
  return { busy: state.busy, problem: state.problem, run, clear };
}

/** What is wrong with one field of a form, by its pointer. */
export function fieldProblem(problem: Problem | undefined, pointer: string): string | undefined {
  return problem?.fields.find((field) => field.pointer === pointer || field.pointer.startsWith(`${pointer}/`))?.message;
}
