import { timingSafeEqual } from 'node:crypto';
import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import type { SessionPrincipal, Sessions } from '../guard/sessions.js';
import { type Refusal, unauthenticated } from './credentials.js';
import type { Header, WebSettings } from './http-terms.js';
import type { RequestHead } from './route.js';

/**
 * Establishes who is signed in, from the session cookie. Throws `forbidden_origin` for a request from another site, and
 * `forbidden_csrf` for one that may change something and does not repeat the session's token: no page of another site
 * can read that, and no form can send the header.
 */
export function establishSession(
  sessions: Sessions,
  web: WebSettings,
  head: RequestHead,
  secret: string | undefined,
): SessionPrincipal | Refusal {
  if (secret === undefined) return unauthenticated('Nobody is signed in.', false);
  let principal: SessionPrincipal;
  try {
    principal = sessions.authenticate(secret, head.header('x-merlon-unattended') !== undefined);
  } catch (error) {
    if (!(error instanceof GuardError) || error.code !== 'unauthorized') throw error;
    return unauthenticated(error.message, false);
  }
  refuseForeignOrigin(web, head);
  if (head.method !== 'GET' && head.method !== 'HEAD' && !isEqual(head.header('x-csrf-token'), principal.csrfToken)) {
    throw new GuardError('forbidden_csrf', 'The X-CSRF-Token header is missing or is not that of the session.');
  }
  return principal;
}

/**
 * Throws `forbidden_origin` where a browser says that another site asks. Clients that are no browsers send neither header,
 * and nobody can make them send a cookie. A page that tells no referrer may send `Origin: null` to its own site (Fetch
 * standard, "append a request Origin header"), so that counts as own where the browser itself says that it is.
 */
export function refuseForeignOrigin(web: WebSettings, head: RequestHead): void {
  const site = head.header('sec-fetch-site');
  const origin = head.header('origin');
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
  const isHidden = origin === 'null' && site === 'same-origin';
  if (isOwnSite && (origin === undefined || isHidden || isOwnOrigin(web, origin, head.header('host')))) return;
  throw new GuardError('forbidden_origin', 'The request comes from another site.');
}

/** Without a known address the scheme is left out: a proxy may have taken TLS away. */
function isOwnOrigin({ publicOrigin }: WebSettings, origin: string, host: string | undefined): boolean {
  if (publicOrigin !== undefined && origin === publicOrigin) return true;
  const [scheme, rest] = origin.split('://');
  return publicOrigin === undefined && (scheme === 'http' || scheme === 'https') && rest === host;
}

/** Value of the session cookie; of two with its name neither counts, because one of them was planted. */
export function sessionSecretOf(web: WebSettings, head: RequestHead): string | undefined {
  const cookies = head.header('cookie');
  if (cookies === undefined) return undefined;
  const beginning = `${cookieName(web)}=`;
  const values = cookies.split(/[;,] */).filter((cookie) => cookie.startsWith(beginning));
  return values.length === 1 ? values[0].slice(beginning.length) : undefined;
}

/** The header that gives a browser the session cookie. `secret` is made of URL-safe characters only. */
export function sessionCookie(web: WebSettings, secret: string): Header {
  return cookie(web, secret, Math.floor(limits.sessionLifetimeMs / 1_000));
}

/** The header that takes it away. */
export function noSessionCookie(web: WebSettings): Header {
  return cookie(web, '', 0);
}

/** Name of the cookie over http; over https it begins with `__Host-`, which keeps other hosts from setting it. */
export const plainCookieName = 'merlon_session';

function cookie(web: WebSettings, value: string, maxAgeSeconds: number): Header {
  const secure = isSecure(web) ? '; Secure' : '';
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
  return ['Set-Cookie', `${cookieName(web)}=${value}; ${attributes}`];
}

function cookieName(web: WebSettings): string {
  return isSecure(web) ? `__Host-${plainCookieName}` : plainCookieName;
}

function isSecure({ publicOrigin }: WebSettings): boolean {
  return publicOrigin?.startsWith('https://') === true;
}

function isEqual(sent: string | undefined, expected: string): boolean {
  if (sent === undefined) return false;
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
