import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import type { RequestHead } from './route.js';

/**
 * Throws `unsupported_media_type` for a body that is announced as anything but JSON as it is. JSON is UTF-8 (RFC 8259 section
 * 8.1), so another charset would be read as what it is not.
 */
export function refuseOtherThanJson(head: Pick<RequestHead, 'header'>): void {
  const type = head.header('content-type');
  if (type === undefined) {
    throw new GuardError('unsupported_media_type', 'The Content-Type header is missing; it must be application/json.');
  }
  if (type !== 'application/json' && !jsonType.test(type)) {
    throw new GuardError('unsupported_media_type', 'The Content-Type must be application/json in UTF-8.');
  }
  const coding = head.header('content-encoding');
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new GuardError('unsupported_media_type', 'The body must not be compressed.');
  }
}

/** With empty parameters, which RFC 9110 section 5.6.6 has senders not make, and readers take. */
const jsonType = /^application\/json(?:(?:[ \t]*;)+(?:[ \t]*charset=(?:utf-8|"utf-8")(?:[ \t]*;)*)?)?[ \t]*$/i;

/** Reads a request body as one JSON object; throws `body_not_json` as `parseJsonBody` does, and for other values. */
export function parseJsonObject(body: Uint8Array): object {
  const value = parseJsonBody(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new GuardError('body_not_json', 'The body must be a JSON object.');
  }
  return value;
}

/**
 * Reads a request body as JSON. Throws `body_not_json` for an empty body, bytes that are not UTF-8, text that is not
 * JSON, nesting deeper than `limits.jsonDepthMax`, and a key that is repeated in one object (RFC 8259 leaves its
 * meaning open, so two readers could see two different texts). NUL and lone surrogates, written as escapes, are valid
 * content. One byte order mark at the start is passed over, as RFC 8259 section 8.1 allows: some editors and shells
 * on Windows write it. The bytes are only read during the call.
 */
export function parseJsonBody(body: Uint8Array): unknown {
  if (body.byteLength === 0) throw new GuardError('body_not_json', 'The body is empty.');
  const text = decodeUtf8(body);
  const colons = countColons(text, limits.jsonDepthMax);
  if (colons === tooDeep) {
    throw new GuardError('body_not_json', `The body is nested deeper than ${limits.jsonDepthMax} levels.`);
  }
  const value = parseJson(text);
  if (countKeys(value) !== colons) {
    throw new GuardError('body_not_json', 'A key is repeated in one of the objects of the body.');
  }
  return value;
}

/** What `countColons` gives for text that is nested deeper than allowed. */
export const tooDeep = -1;

/**
 * The number of colons outside strings, or `tooDeep`. In valid JSON every colon belongs to one key, so a parsed
 * value that holds fewer keys has lost a repeated one. Strings, which are nearly all of a body, are jumped over
 * with `indexOf`. Total for text that is not JSON: it ends, and its answer means nothing.
 */
export function countColons(text: string, depthMax: number): number {
  let colons = 0;
  let depth = 0;
  let at = 0;
  while (at !== -1) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    for (let index = at; index < end; index++) {
      const unit = text.charCodeAt(index);
      if (unit === colon) colons++;
      else if (unit === openBrace || unit === openBracket) depth++;
      else if (unit === closeBrace || unit === closeBracket) depth--;
      if (depth > depthMax) return tooDeep;
    }
    at = quote === -1 ? -1 : afterString(text, quote + 1);
  }
  return colons;
}

const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const backslash = 0x5c;

/** The index after the closing quote of the string whose content begins at `from`; -1 when it is never closed. */
function afterString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote !== -1) {
    let before = quote - 1;
    while (before >= from && text.charCodeAt(before) === backslash) before--;
    const escaped = (quote - 1 - before) % 2 === 1;
    if (!escaped) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return -1;
}

/**
 * Keys of all objects in a parsed value. Recursion is bounded by the depth that was checked before. Of an object with very
 * many keys `Object.values` takes three times as long as its keys with a look at each.
 */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += countKeys(item);
    return keys;
  }
  for (const key of Object.keys(value)) keys += 1 + countKeys(Reflect.get(value, key));
  return keys;
}

/** Stateless between calls that do not stream, so one decoder serves all requests. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new GuardError('body_not_json', 'The body is not valid UTF-8.');
  }
}

/** The parser's own message quotes the body, so it is not passed on. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GuardError('body_not_json', 'The body is not valid JSON.');
  }
}
