import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isAbort, Problem } from './client.js';

/** Something that is loaded from the service and may be loaded again. */
export interface Resource<T> {
  /** What was loaded last; stays while it is loaded again, and when that fails. */
  readonly value: T | undefined;
  readonly problem: Problem | undefined;
  readonly loading: boolean;
  reload(): void;
  /** Takes what the service has answered to a change: nothing is loaded then, which could fail. */
  replace(value: T): void;
}

interface ResourceOptions {
  /** Loads again this long after each answer, while the page is visible. */
  readonly pollMs?: number | undefined;
}

/**
 * Loads what `load` gives, and again whenever `key` changes: then the old value is gone at once, and its answer, should
 * it still come, is not looked at.
 */
export function useResource<T>(
  key: string,
  load: (signal: AbortSignal, unattended: boolean) => Promise<T>,
  { pollMs }: ResourceOptions = {},
): Resource<T> {
  const [state, setState] = useState<State<T>>({ key });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const unattended = useRef(false);
  const answered = useRef<{ readonly key: string; readonly value: T } | null>(null);

  useEffect(() => {
    const abort = new AbortController();
    const settle = (change: Partial<State<T>>) =>
      setState((old) => ({ ...(old.key === key ? old : {}), key, problem: undefined, ...change, round }));
    const isPoll = unattended.current;
    unattended.current = false;
    const known = answered.current;
    answered.current = null;
    (known?.key === key ? Promise.resolve(known.value) : latest.current(abort.signal, isPoll))
      .then((value) => settle({ value }))
      .catch((error: unknown) => {
        if (isAbort(error) && abort.signal.aborted) return;
        settle({ problem: asProblem(error) });
      });
    return () => abort.abort();
  }, [key, round]);

  const current = state.key === key ? state : { key };
  const settled = current.round === round;
  useEffect(() => {
    if (pollMs === undefined || !settled) return;
    return afterWhileVisible(pollMs, () => {
      unattended.current = true;
      setRound((old) => old + 1);
    });
  }, [pollMs, settled, round]);

  const reload = useCallback(() => setRound((old) => old + 1), []);
  const replace = (value: T) => {
    answered.current = { key, value };
    reload();
  };
  return { value: current.value, problem: current.problem, loading: !settled, reload, replace };
}

/** Any failure as a problem that can be shown. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(0, 'Unexpected', error instanceof Error ? error.message : 'Something failed.');
}

interface State<T> {
  readonly key: string;
  readonly value?: T | undefined;
  readonly problem?: Problem | undefined;
  /** Number of the request that this is the answer to. */
  readonly round?: number | undefined;
}

/** Calls `work` once, after this time and not before the page can be seen. */
function afterWhileVisible(afterMs: number, work: () => void): () => void {
  const onVisible = () => {
    if (!document.hidden) work();
  };
  const timer = setTimeout(() => {
    if (!document.hidden) work();
    else document.addEventListener('visibilitychange', onVisible, { once: true });
  }, afterMs);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
