import { createHash } from 'node:crypto';
import { scanIdBytesLength } from './scan-id.js';
import { CursorError, type ScanQuery } from './store.js';

/*
 * A cursor names the record it stands after and, in a digest, the filters it was given for, so that it can
 * neither be carried to another query nor to another organization. It is not signed: whoever makes one up can
 * only choose a place in a list that is already open to them.
 *
 *   0        1                17          25
 *   | format | bytes of the id | digest    |   in base64url
 */
const format = 1;
const digestBytes = 8;
const cursorBytes = 1 + scanIdBytesLength + digestBytes;

/** The cursor that goes on after the record with this id, in the same filters. */
export function encodeCursor(query: ScanQuery, lastId: Buffer): string {
  return Buffer.concat([Buffer.of(format), lastId, digest(query)]).toString('base64url');
}

/** Key of the record that the query's cursor stands after. Throws `CursorError` for any other text and for another query's cursor. */
export function decodeCursor(query: ScanQuery, cursor: string): Buffer {
  const bytes = Buffer.from(cursor, 'base64url');
  // `Buffer.from` skips what is not base64url: only text that encodes back to itself was ever given out.
  if (bytes.length !== cursorBytes || bytes.toString('base64url') !== cursor) throw new CursorError();
  if (bytes[0] !== format || !bytes.subarray(1 + scanIdBytesLength).equals(digest(query))) throw new CursorError();
  return bytes.subarray(1, 1 + scanIdBytesLength);
}

function digest(query: ScanQuery): Buffer {
  const { organizationId, projectId, scanId, flagged, appUuid, detector, from, to } = query;
  const filters = [organizationId, projectId, scanId, flagged, appUuid, detector, from, to];
  const text = JSON.stringify(filters.map((filter) => filter ?? null));
  return createHash('sha256').update(text).digest().subarray(0, digestBytes);
}
