import { problemAnswer } from '../api/answer.js';
import type { Header } from '../api/http-terms.js';
import type { Answer, RequestHead, Route } from '../api/route.js';
import { GuardError } from '../domain/errors.js';
import type { DashboardFile, DashboardFiles } from './dashboard-files.js';

/** Where people open the dashboard. */
const dashboardPath = '/dashboard';

/**
 * The dashboard runs its own scripts and styles and asks its own service, and nothing else: a text that slips through as
 * markup can neither run nor phone home. Trusted Types refuse markup made of strings before that.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const pageHeaders: readonly Header[] = [
  ['Content-Security-Policy', contentSecurityPolicy],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Vary', 'Accept-Encoding'],
];

/** Names under `assets/` hold a hash of the content, so they never change. */
const forever = 'public, max-age=31536000, immutable';
const askEachTime = 'no-cache';

/**
 * The built dashboard as routes: `/` leads to it, a file of the build is served as it is, and every other path below it is
 * one of the page's own places, which the page finds by itself. Everything comes from memory.
 */
export function dashboardRoutes(files: DashboardFiles): readonly Route[] {
  const index = files.get('index.html');
  const page = (head: RequestHead): Answer =>
    index === undefined ? missing('The dashboard was not built: `npm run build` does it.', head) : file(index, head);
  const pathOf = (head: RequestHead) => head.path.slice(dashboardPath.length + 1);
  return [
    route('/', () => ({ status: 302, contentType: '', body: '', headers: [['Location', dashboardPath]] })),
    route(dashboardPath, page),
    route(`${dashboardPath}/assets/*`, (head) => {
      const found = files.get(pathOf(head));
      return found ? file(found, head, forever) : missing('There is nothing at this path.', head);
    }),
    route(`${dashboardPath}/*`, (head) => {
      const found = files.get(pathOf(head));
      return found ? file(found, head) : page(head);
    }),
  ];
}

function route(path: string, open: (head: RequestHead) => Answer): Route {
  return { method: 'GET', path, whileDraining: false, open };
}

function file(found: DashboardFile, head: RequestHead, cacheControl = askEachTime): Answer {
  const [coding, body] = encoded(found, head.header('accept-encoding') ?? '');
  const headers: readonly Header[] = [
    ...pageHeaders,
    ['ETag', found.etag],
    ...(coding === undefined ? [] : [['Content-Encoding', coding] as const]),
  ];
  // The front end tells the body's length with a 304 and sends none of it.
  const status = isKnown(head.header('if-none-match'), found.etag) ? 304 : 200;
  return { status, contentType: found.contentType, body, headers, cacheControl };
}

function missing(detail: string, head: RequestHead): Answer {
  return problemAnswer(new GuardError('unknown_path', detail), head.requestId);
}

/** Weak comparison (RFC 9110 section 13.1.2): a proxy that compresses may have marked the validator as weak. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((part) => part.trim().replace(/^W\//, '') === etag || part.trim() === '*');
}

/** The smallest form that the client takes. */
function encoded(found: DashboardFile, accepted: string): readonly [coding: string | undefined, body: Uint8Array] {
  if (found.br !== undefined && accepts(accepted, 'br')) return ['br', found.br];
  if (found.gzip !== undefined && accepts(accepted, 'gzip')) return ['gzip', found.gzip];
  return [undefined, found.bytes];
}

function accepts(accepted: string, coding: string): boolean {
  return accepted.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
