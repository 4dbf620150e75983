import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isAbort, type Problem } from '../client.js';
import { useApp } from '../context.js';
import type { Target } from '../curl.js';
import { asProblem } from '../resource.js';
import type { Explanation, Message } from '../wire.js';

const typingMs = 250;

export interface Explained {
  /** The newest answer, and the messages that it is about; none once a question after it has failed. */
  readonly explanation: Explanation | undefined;
  readonly messages: readonly Message[];
  /** From the request to the answer, as this page sees it. */
  readonly roundTripMs: number | undefined;
  readonly problem: Problem | undefined;
  /** What is told here is of an earlier question. */
  readonly pending: boolean;
}

interface Answer extends Omit<Explained, 'messages' | 'pending'> {
  readonly to: Question;
}

interface Question {
  readonly messages: readonly Message[];
  readonly target: Target;
}

const nothing = { explanation: undefined, roundTripMs: undefined, problem: undefined };

/** Asks what the service finds, a moment after the last change; an answer that is overtaken is dropped. */
export function useExplanation(messages: readonly Message[], target: Target): Explained {
  const { client } = useApp();
  const question = useMemo(() => ({ messages, target }), [messages, target]);
  const [answer, setAnswer] = useState<Answer>({ ...nothing, to: { messages: [], target: {} } });
  const first = useRef(true);
  useEffect(() => {
    if (messages.every(({ content }) => content === '')) {
      setAnswer({ ...nothing, to: question });
      return;
    }
    const abort = new AbortController();
    const ask = async () => {
      const started = performance.now();
      const body = { messages, ...target };
      try {
        const explanation = await client.send<Explanation>('POST', '/guard/explain', body, abort.signal);
        setAnswer({ explanation, roundTripMs: performance.now() - started, problem: undefined, to: question });
      } catch (error) {
        if (isAbort(error) && abort.signal.aborted) return;
        setAnswer({ ...nothing, problem: asProblem(error), to: question });
      }
    };
    const timer = setTimeout(ask, first.current ? 0 : typingMs);
    first.current = false;
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [question]);
  const { to, ...told } = answer;
  return { ...told, messages: to.messages, pending: to !== question };
}
