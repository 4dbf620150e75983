import type { ComponentChildren } from 'preact';

interface Props {
  /** What is under way, if anything is. */
  readonly doing: 'Saving' | 'Loading' | undefined;
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
