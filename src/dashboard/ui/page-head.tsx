import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { plainText } from '../text/hidden-characters.js';

interface Props {
  /** Also the title of the browser's tab. */
  readonly title: string;
  /** Shown instead of the title, where that is more than text. */
  readonly heading?: ComponentChildren;
  readonly intro?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

/** For whatever takes the control away that has the focus: without a word where the page is the focus would be nowhere. */
export function focusHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true });
}

/** Gives what to call where an act will take its own button away: the heading has the focus once `value` is another. */
export function useHeadingAfter(value: unknown): () => void {
  const due = useRef(false);
  useEffect(() => {
    if (due.current) focusHeading();
    due.current = false;
  }, [value]);
  return () => {
    due.current = true;
  };
}

/** Head of every page. Takes the focus when the page is shown, so that a screen reader says where it is. */
export function PageHead({ title, heading, intro, actions }: Props) {
  const headline = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${plainText(title)} · Merlon`;
  }, [title]);
  useEffect(() => headline.current?.focus({ preventScroll: true }), []);
  return (
    <header class="page-head">
      <div>
        <h1 ref={headline} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {intro !== undefined && <p class="intro">{intro}</p>}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </header>
  );
}
