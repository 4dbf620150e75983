import { isIP } from 'node:net';
import { limits } from '../domain/limits.js';
import { createRequestIds } from './request-ids.js';

/**
 * The headers of a request by lowercase name; several of one name joined by `, ` (RFC 9110 section 5.3). A list that is
 * walked: for the ten or so headers of a request a map costs twice as much to make, and the front end takes no more than
 * some hundred.
 */
export class RequestHeaders {
  /** Each name, and behind it its value. */
  readonly #list: string[] = [];

  /** Adds one, as a front end reads it. */
  add(name: string, value: string): void {
    const place = this.#placeOf(name);
    if (place === -1) this.#list.push(name, value);
    else this.#list[place] += `, ${value}`;
  }

  entries(): readonly (readonly [name: string, value: string])[] {
    const entries: [string, string][] = [];
    for (let i = 0; i < this.#list.length; i += 2) entries.push([this.#list[i], this.#list[i + 1]]);
    return entries;
  }

  get(name: string): string | undefined {
    const place = this.#placeOf(name);
    return place === -1 ? undefined : this.#list[place];
  }

  #placeOf(name: string): number {
    for (let i = 0; i < this.#list.length; i += 2) if (this.#list[i] === name) return i + 1;
    return -1;
  }
}

/**
 * What makes it unclear where a request ends or whom it is for, in words; undefined for a sound one. Such a request
 * must not be served, and nothing that follows it on its connection either, because what a proxy before us took for
 * its body may be read as the next request here (RFC 9112 section 11.2). A repeated header was joined by commas and
 * so fails the test for its form.
 */
export function framingFault(headers: RequestHeaders): string | undefined {
  const length = headers.get('content-length');
  if (length !== undefined && !wholeNumber.test(length)) return 'Content-Length must be one whole number.';
  const coding = headers.get('transfer-encoding');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'Transfer-Encoding may only be chunked.';
  if (coding !== undefined && length !== undefined) return 'Content-Length and Transfer-Encoding exclude each other.';
  const host = headers.get('host');
  if (host === undefined || host.includes(',')) return 'There must be exactly one Host header.';
  return undefined;
}

const wholeNumber = /^\d{1,15}$/;

/** Bytes of the body as announced, 0 when there is none, undefined for a chunked one. Asks for a sound head. */
export function announcedLength(headers: RequestHeaders): number | undefined {
  if (headers.get('transfer-encoding') !== undefined) return undefined;
  return Number(headers.get('content-length') ?? 0);
}

const newRequestId = createRequestIds();
const visibleAscii = /^[\x21-\x7e]+$/;

/** The client's request id if it may be repeated in a header, a log and a record, else a new UUID. */
export function requestIdOf(headers: RequestHeaders): string {
  const sent = headers.get('x-request-id');
  if (sent !== undefined && sent.length <= limits.requestIdLengthMax && visibleAscii.test(sent)) return sent;
  return newRequestId();
}

/**
 * The client's address. Each of `proxies` trusted proxies has added the address that it saw to `X-Forwarded-For`; what
 * stands further left anybody may have written. Where there is no such entry, the connection's own address counts.
 */
export function clientAddress(connection: string, headers: RequestHeaders, proxies: number): string {
  const forwarded = proxies === 0 ? undefined : headers.get('x-forwarded-for')?.split(',').at(-proxies)?.trim();
  return forwarded !== undefined && isIP(forwarded) !== 0 ? forwarded : connection;
}
