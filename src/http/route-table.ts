import type { PathParameters } from '../api/http-terms.js';
import type { Route } from '../api/route.js';

/** What a request's path and method lead to. */
export type RouteMatch =
  | { readonly kind: 'route'; readonly route: Route; readonly parameters: PathParameters }
  /** The path exists, and this is one of its routes; `allow` is the value for the `Allow` header. */
  | { readonly kind: 'wrong_method'; readonly route: Route; readonly allow: string }
  | { readonly kind: 'unknown' };

/**
 * Finds routes by path and method: exact paths first, then those with parameters, then the longest beginning. Paths are
 * compared as sent: case counts, a slash more at the end is another path, and nothing is percent-decoded. HEAD is served
 * by GET.
 */
export function createRouteTable(routes: readonly Route[]): (method: string, path: string) => RouteMatch {
  const exact = new Map<string, Place>();
  const patterns = new Map<string, Place>();
  const prefixes = new Map<string, Place>();
  for (const route of routes) {
    const isPrefix = route.path.endsWith('/*');
    const places = isPrefix ? prefixes : route.path.includes('{') ? patterns : exact;
    const key = isPrefix ? route.path.slice(0, -1) : route.path;
    const place = places.get(key) ?? new Map<string, Route>();
    if (place.has(route.method)) throw new Error(`Two routes serve ${route.method} ${route.path}.`);
    place.set(route.method, route);
    if (route.method === 'GET') place.set('HEAD', route);
    places.set(key, place);
  }
  const split = [...patterns].map(([path, place]) => ({ segments: path.split('/'), place }));
  const longestFirst = [...prefixes].sort(([one], [other]) => other.length - one.length);
  return (method, path) => {
    const known = exact.get(path);
    if (known !== undefined) return matchIn(known, method, noParameters);
    const segments = path.split('/', segmentsMax);
    for (const { segments: pattern, place } of split) {
      const parameters = parametersOf(pattern, segments);
      if (parameters !== undefined) return matchIn(place, method, parameters);
    }
    const place = longestFirst.find(([prefix]) => path.startsWith(prefix))?.[1];
    return place === undefined ? { kind: 'unknown' } : matchIn(place, method, noParameters);
  };
}

type Place = Map<string, Route>;

const noParameters: PathParameters = {};

/** More than any pattern has, so that a path of many segments is not cut apart for nothing. */
const segmentsMax = 16;

/** UUIDs are stored in lower case, and taken in any (RFC 9562 section 4). */
const uuidShape = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function parametersOf(pattern: readonly string[], segments: readonly string[]): PathParameters | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index];
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined;
    } else if (segment === '') return undefined;
    else parameters[part.slice(1, -1)] = uuidShape.test(segment) ? segment.toLowerCase() : segment;
  }
  return parameters;
}

function matchIn(place: Place, method: string, parameters: PathParameters): RouteMatch {
  const route = place.get(method);
  if (route !== undefined) return { kind: 'route', route, parameters };
  const [first] = place.values();
  return { kind: 'wrong_method', route: first, allow: [...place.keys()].join(', ') };
}
