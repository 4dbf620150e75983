import { useEffect, useRef, useState } from 'preact/hooks';
import { isAbort, type Problem } from '../client.js';
import { useApp } from '../context.js';
import { asProblem } from '../resource.js';
import type { Explanation, Message } from '../wire.js';

const typingMs = 250;

export interface Explained {
  /** The newest answer, and the messages that it is about. */
  readonly explanation: Explanation | undefined;
  readonly messages: readonly Message[];
  /** From the request to the answer, as this page sees it. */
  readonly roundTripMs: number | undefined;
  readonly problem: Problem | undefined;
  readonly pending: boolean;
}

const nothing: Explained = {
  explanation: undefined,
  messages: [],
  roundTripMs: undefined,
  problem: undefined,
  pending: false,
};

/** Asks what the service finds, a moment after the last change; an answer that is overtaken is dropped. */
export function useExplanation(messages: readonly Message[], profileId: string, appUuid: string): Explained {
  const { client } = useApp();
  const [state, setState] = useState<Explained>(nothing);
  const first = useRef(true);
  useEffect(() => {
    if (messages.every(({ content }) => content === '')) {
      setState(nothing);
      return;
    }
    const abort = new AbortController();
    const ask = async () => {
      const started = performance.now();
      const body = {
        messages,
        ...(appUuid === '' ? {} : { app_uuid: appUuid }),
        ...(profileId === '' || appUuid !== '' ? {} : { profile_id: profileId }),
      };
      try {
        const explanation = await client.send<Explanation>('POST', '/guard/explain', body, abort.signal);
        const roundTripMs = performance.now() - started;
        setState({ explanation, messages, roundTripMs, problem: undefined, pending: false });
      } catch (error) {
        if (isAbort(error) && abort.signal.aborted) return;
        setState((old) => ({ ...old, problem: asProblem(error), pending: false }));
      }
    };
    setState((old) => ({ ...old, pending: true }));
    const timer = setTimeout(ask, first.current ? 0 : typingMs);
    first.current = false;
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [messages, profileId, appUuid]);
  return state;
}
