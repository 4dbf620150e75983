import { useEffect, useState } from 'preact/hooks';

/** Paths under `/dashboard`, read from and written to the browser's history. */

const dashboardPath = '/dashboard';
const changed = 'merlon:navigate';

export interface Place {
  /** Path below the dashboard, without slashes at its ends: empty for the first page. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Where the browser is; renders again when that changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const read = () => setPlace(readPlace());
    addEventListener('popstate', read);
    addEventListener(changed, read);
    return () => {
      removeEventListener('popstate', read);
      removeEventListener(changed, read);
    };
  }, []);
  return place;
}

/** Goes to an address of the dashboard; `replace` leaves no step to go back to. */
export function navigate(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  dispatchEvent(new Event(changed));
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

function readPlace(): Place {
  const path = location.pathname.slice(dashboardPath.length).replace(/^\/+|\/+$/g, '');
  return { path, query: new URLSearchParams(location.search) };
}
