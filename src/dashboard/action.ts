import { useCallback, useState } from 'preact/hooks';
import { Problem } from './client.js';
import { asProblem } from './resource.js';

/** Something that a person sets off: one at a time, with its failure kept until the next try. */
export interface Action {
  readonly busy: boolean;
  readonly problem: Problem | undefined;
  /** Runs `work`, and `done` when it has succeeded. */
  run(work: () => Promise<void>, done?: () => void): void;
  clear(): void;
}

export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; problem?: Problem }>({ busy: false });
  const run = useCallback((work: () => Promise<void>, done?: () => void) => {
    setState({ busy: true });
    work().then(
      () => {
        setState({ busy: false });
        done?.();
      },
      (error: unknown) => setState({ busy: false, problem: asProblem(error) }),
    );
  }, []);
  const clear = useCallback(() => setState({ busy: false }), []);
  return { busy: state.busy, problem: state.problem, run, clear };
}

/** What is wrong with one field of a form, by its pointer. */
export function fieldProblem(problem: Problem | undefined, pointer: string): string | undefined {
  const own = problem?.fields.filter((field) => isWithin(field.pointer, pointer)) ?? [];
  return own.length === 0 ? undefined : own.map(({ message }) => message).join('\n');
}

/** A problem without what the form tells beside these fields. */
export function formProblem(problem: Problem | undefined, shown: readonly string[]): Problem | undefined {
  if (problem === undefined) return undefined;
  const fields = problem.fields.filter((field) => !shown.some((pointer) => isWithin(field.pointer, pointer)));
  if (fields.length === problem.fields.length) return problem;
  return new Problem(problem.status, problem.title, 'See the marked fields.', { ...problem, fields });
}

function isWithin(pointer: string, whole: string): boolean {
  return pointer === whole || pointer.startsWith(`${whole}/`);
}
