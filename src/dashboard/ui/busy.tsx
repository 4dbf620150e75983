import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { focusHeading } from './page-head.js';

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
 * was saved, and what was typed meanwhile would be lost. The one that had the focus has it again afterwards.
 */
export function Busy({ doing, children }: Props) {
  const disabled = doing !== undefined;
  // Read while it is rendered: once the controls are disabled, the browser has taken the focus away.
  const before = useMemo(() => (disabled ? document.activeElement : null), [disabled]);
  useLayoutEffect(() => {
    if (!disabled) return;
    return () => {
      if (document.activeElement !== document.body && document.activeElement !== before) return;
      if (before instanceof HTMLElement) before.focus();
      // It is gone, or does nothing now.
      if (document.activeElement !== before || before?.matches(':disabled')) focusHeading();
    };
  }, [disabled]);
  return (
    <fieldset class="busy" disabled={disabled}>
      {children}
      <p class="visually-hidden" role="status">
        {doing && `${doing} …`}
      </p>
    </fieldset>
  );
}
