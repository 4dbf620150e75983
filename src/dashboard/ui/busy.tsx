import type { ComponentChildren } from 'preact';

type Doing = 'Saving' | 'Loading' | undefined;

/** What is under way with something that is saved or loaded again, if anything is. */
export function doingOf(saving: boolean, loading: boolean): Doing {
  return saving ? 'Saving' : loading ? 'Loading' : undefined;
}

interface Props {
  readonly doing: Doing;
  readonly children: ComponentChildren;
}

/**
 * Controls of something that is saved as a whole. While that is under way they take nothing: they are then replaced by what
 * was saved, and what was typed meanwhile would be lost.
 */
export function Busy({ doing, children }: Props) {
  return (
    <fieldset class="busy" disabled={doing !== undefined}>
      {children}
      <p class="visually-hidden" role="status">
        {doing && `${doing} …`}
      </p>
    </fieldset>
  );
}
