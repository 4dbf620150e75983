import { useEffect, useState } from 'preact/hooks';

/** Paths under `/dashboard`, read from and written to the browser's history. */

const dashboardPath = '/dashboard';
const changed = 'merlon:navigate';
/** Asked before a page is left; whoever has something to lose may prevent it. */
const leaving = 'merlon:leave';
/** State of the browser's steps that were made here: from the first page that was opened, Back leaves the dashboard. */
const within = 'within';
const leaveWords = 'What you changed here is not saved. Leave it all the same?';

export interface Place {
  /** Path below the dashboard, without slashes at its ends: empty for the first page. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Where the browser is; renders again when that changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    let shown = readAddress();
    const read = () => {
      shown = readAddress();
      setPlace(readPlace());
    };
    const onStep = () => {
      if (readAddress() === shown || mayLeave()) read();
      // Where the page may not be left, the browser is elsewhere already.
      else history.pushState(within, '', shown);
    };
    addEventListener('popstate', onStep);
    addEventListener(changed, read);
    return () => {
      removeEventListener('popstate', onStep);
      removeEventListener(changed, read);
    };
  }, []);
  return place;
}

/**
 * Goes to an address of the dashboard. `replace` leaves no step to go back to, and does not ask whether the page may be
 * left: it is for the page itself, which knows what it has done.
 */
export function navigate(address: string, { replace = false } = {}): void {
  if (!replace && !mayLeave()) return;
  if (replace) history.replaceState(history.state, '', address);
  else history.pushState(within, '', address);
  dispatchEvent(new Event(changed));
}

/** Whether the step before this one was within the dashboard. */
export function isStepWithin(): boolean {
  return history.state === within;
}

/** Whether nothing unsaved would be lost, or the person agrees to lose it. */
export function mayLeave(): boolean {
  return dispatchEvent(new Event(leaving, { cancelable: true }));
}

/** While `dirty`, asks before the page is left: by link, by the browser's Back, or with the window, which has its own words. */
export function useUnsaved(dirty: boolean, words = leaveWords): void {
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: Event) => {
      if (!confirm(words)) event.preventDefault();
    };
    const onUnload = (event: Event) => event.preventDefault();
    addEventListener(leaving, ask);
    addEventListener('beforeunload', onUnload);
    return () => {
      removeEventListener(leaving, ask);
      removeEventListener('beforeunload', onUnload);
    };
  }, [dirty, words]);
}

/** Address of a page, e.g. `href('scans', id)`; every part is escaped. */
export function href(...parts: readonly string[]): string {
  return [dashboardPath, ...parts.filter((part) => part !== '').map(encodeURIComponent)].join('/');
}

/** Listener for the whole page: plain clicks on links into the dashboard stay within it. */
export function followLink(event: MouseEvent): void {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  ) {
    return;
  }
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.origin !== location.origin) return;
  if (link.hash !== '') return;
  if (link.pathname !== dashboardPath && !link.pathname.startsWith(`${dashboardPath}/`)) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}

/** Without the place within the page. */
function readAddress(): string {
  return location.pathname + location.search;
}

function readPlace(): Place {
  const path = location.pathname.slice(dashboardPath.length).replace(/^\/+|\/+$/g, '');
  return { path, query: new URLSearchParams(location.search) };
}
