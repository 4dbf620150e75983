import type { MessagePort, Worker } from 'node:worker_threads';
import { type ErrorCode, type FieldError, GuardError } from '../domain/errors.js';
import { StoreError } from '../store/store.js';
import { describeError, type LoggedError } from '../telemetry/log.js';

/** What may be asked over a link: by name, the question and its answer. Both must be fit for structured cloning. */
export type Topics = { readonly [name: string]: readonly [question: unknown, answer: unknown] };

/** How one side answers what the other asks. */
export type Answers<Asked extends Topics> = {
  readonly [Name in keyof Asked]: (question: Asked[Name][0]) => Asked[Name][1] | Promise<Asked[Name][1]>;
};

/** Questions and answers between two threads. Questions arrive in the order in which they were asked. */
export interface Link<Asking extends Topics> {
  /** Rejects with the `GuardError` or `StoreError` that the other side threw, with `worker_lost` for all else and at the end. */
  ask<Name extends keyof Asking & string>(name: Name, question: Asking[Name][0]): Promise<Asking[Name][1]>;
  /** The other side is gone: nothing will be answered any more. */
  end(): void;
}

type Message =
  | { readonly kind: 'question'; readonly id: number; readonly name: string; readonly question: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: Failure };

/** An error as it crosses threads, where classes are lost. */
type Failure =
  | {
      readonly kind: 'guard';
      readonly code: ErrorCode;
      readonly detail: string;
      readonly fields: readonly FieldError[];
    }
  | { readonly kind: 'store'; readonly detail: string }
  | { readonly kind: 'other'; readonly error: LoggedError };

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
}

/** The transfer of what a link carries: the port of a thread, or the thread as its parent sees it. */
type Port = Pick<MessagePort, 'postMessage'> & { on(event: 'message', listener: (message: Message) => void): unknown };

/** Opens this thread's side of a link. `unexpected` is told what was thrown here beside errors that callers can meet. */
export function createLink<Asking extends Topics, Asked extends Topics>(
  port: Worker | MessagePort,
  answers: Answers<Asked>,
  unexpected: (error: unknown) => void,
): Link<Asking> {
  const { postMessage, on } = bindPort(port);
  const waiting = new Map<number, Waiting>();
  let isOver = false;
  let lastId = 0;

  const reply = async (id: number, name: string, question: unknown): Promise<void> => {
    try {
      postMessage({ kind: 'answer', id, answer: await answers[name](question) });
    } catch (error) {
      const failure = toFailure(error);
      if (failure.kind === 'other') unexpected(error);
      postMessage({ kind: 'failure', id, failure });
    }
  };

  on((message) => {
    if (message.kind === 'question') {
      void reply(message.id, message.name, message.question);
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === 'answer') asked?.resolve(message.answer as never);
    else asked?.reject(fromFailure(message.failure));
  });

  return {
    ask: (name, question) =>
      new Promise((resolve, reject) => {
        if (isOver) throw gone();
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        postMessage({ kind: 'question', id, name, question });
      }),
    end: () => {
      isOver = true;
      for (const { reject } of waiting.values()) reject(gone());
      waiting.clear();
    },
  };
}

function bindPort(port: Port): { postMessage(message: Message): void; on(listener: (message: Message) => void): void } {
  return {
    postMessage: (message) => port.postMessage(message),
    on: (listener) => {
      port.on('message', listener);
    },
  };
}

function gone(): GuardError {
  return new GuardError('worker_lost', 'A thread of the service has ended.');
}

function toFailure(error: unknown): Failure {
  if (error instanceof GuardError) {
    return { kind: 'guard', code: error.code, detail: error.message, fields: error.fields };
  }
  if (error instanceof StoreError) return { kind: 'store', detail: error.message };
  return { kind: 'other', error: describeError(error) };
}

function fromFailure(failure: Failure): Error {
  if (failure.kind === 'guard') return new GuardError(failure.code, failure.detail, failure.fields);
  if (failure.kind === 'store') return new StoreError(failure.detail);
  return new GuardError('worker_lost', 'A thread of the service failed.');
}
