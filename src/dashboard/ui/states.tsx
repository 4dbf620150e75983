import type { ComponentChildren } from 'preact';
import type { Problem } from '../client.js';
import type { Resource } from '../resource.js';
import { Foreign } from '../text/foreign-text.js';

/** Shown until there is something to show. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      Loading {what} …
    </p>
  );
}

/** Shown where there is nothing, with what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

interface NoticeProps {
  readonly problem: Problem | undefined;
  /** What to do about it, and what its button says. */
  readonly retry?: (() => void) | undefined;
  readonly retryText?: string;
}

/**
 * What went wrong, in the service's words, with what to tell whoever runs it. The id of the request is another with each try,
 * so it is not said aloud: a page that asks every two seconds would not stop.
 */
export function ProblemNotice({ problem, retry, retryText = 'Try again' }: NoticeProps) {
  if (problem === undefined) return null;
  // Where one field alone is wrong, the service's words are about it.
  const fields = problem.fields.filter(({ message }) => !problem.message.includes(message));
  return (
    <div class="notice bad">
      <div role="alert">
        <p>
          <strong>{problem.title}.</strong> <Foreign text={problem.message} />
        </p>
        {fields.length > 0 && (
          <ul>
            {fields.slice(0, 20).map((field) => (
              <li key={`${field.pointer} ${field.message}`}>
                <code>{field.pointer}</code> <Foreign text={field.message} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {problem.requestId !== undefined && <p class="quiet">Request {problem.requestId}</p>}
      {retry !== undefined && (
        <button type="button" class="small" onClick={retry}>
          {retryText}
        </button>
      )}
    </div>
  );
}

interface LoadedProps<T> {
  readonly resource: Resource<T>;
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}

/** What was loaded, or how far that is. A failure after something was loaded is told above it. */
export function Loaded<T>({ resource, what, children }: LoadedProps<T>) {
  const { value, problem, reload } = resource;
  return (
    <>
      <ProblemNotice problem={problem} retry={reload} />
      {value !== undefined ? children(value) : problem === undefined && <Loading what={what} />}
    </>
  );
}
