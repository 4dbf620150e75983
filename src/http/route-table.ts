import type { Route } from '../api/route.js';

/** What a request's path and method lead to. */
export type RouteMatch =
  | { readonly kind: 'route'; readonly route: Route }
  /** The path exists; `allow` is the value for the `Allow` header. */
  | { readonly kind: 'wrong_method'; readonly path: string; readonly allow: string }
  | { readonly kind: 'unknown' };

/**
 * Finds routes by path and method: exact paths first, then the longest beginning. Paths are compared as sent: case
 * counts, a slash more at the end is another path, and nothing is percent-decoded. HEAD is served by GET.
 */
export function createRouteTable(routes: readonly Route[]): (method: string, path: string) => RouteMatch {
  const exact = new Map<string, Place>();
  const prefixes = new Map<string, Place>();
  for (const route of routes) {
    const isPrefix = route.path.endsWith('/*');
    const places = isPrefix ? prefixes : exact;
    const key = isPrefix ? route.path.slice(0, -1) : route.path;
    const place = places.get(key) ?? new Map<string, Route>();
    if (place.has(route.method)) throw new Error(`Two routes serve ${route.method} ${route.path}.`);
    place.set(route.method, route);
    if (route.method === 'GET') place.set('HEAD', route);
    places.set(key, place);
  }
  const longestFirst = [...prefixes].sort(([one], [other]) => other.length - one.length);
  return (method, path) => {
    const place = exact.get(path) ?? longestFirst.find(([prefix]) => path.startsWith(prefix))?.[1];
    if (place === undefined) return { kind: 'unknown' };
    const route = place.get(method);
    if (route !== undefined) return { kind: 'route', route };
    const [first] = place.values();
    return { kind: 'wrong_method', path: first.path, allow: [...place.keys()].join(', ') };
  };
}

type Place = Map<string, Route>;
