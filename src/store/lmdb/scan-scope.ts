/*
 * Keys of scopes. The lengths come first, so that no scope is a prefix of another; a project's name is kept as UTF-16,
 * so that names that differ only in lone surrogates stay different.
 *
 *   0       1                   3                  5
 *   | kind  | u16 organization  | u16 name         | organization (UTF-8) | project or application (UTF-16)
 */
const organizationKind = 1;
const projectKind = 2;
const applicationKind = 3;
const headerBytes = 5;

/** LMDB's bound for a key is 1,978 bytes; the 16 of an id come behind the scope. */
const scopeBytesMax = 1_900;

/** Names of at most these lengths fit into a key, whatever units they are of. */
const organizationUnitsMax = 160;
const nameUnitsMax = 700;

/** Whether an organization's id and a project's name are short enough to be keys. */
export function fitsScope(organizationId: string, projectId: string): boolean {
  return organizationId.length <= organizationUnitsMax && projectId.length <= nameUnitsMax;
}

/** Above and below the scopes of all organizations, and of no project. */
export const organizationScopes = { start: Buffer.of(organizationKind), end: Buffer.of(organizationKind + 1) };

/** Key of all scans of an organization; undefined for an id too long to be one's. */
export function organizationScope(organizationId: string): Buffer | undefined {
  return scopeKey(organizationKind, organizationId, '');
}

/** Key of the scans of one project of an organization; undefined for names too long to be theirs. */
export function projectScope(organizationId: string, projectId: string): Buffer | undefined {
  return scopeKey(projectKind, organizationId, projectId);
}

/** Key of the scans for one application of an organization; undefined for names too long to be theirs. */
export function applicationScope(organizationId: string, appUuid: string): Buffer | undefined {
  return scopeKey(applicationKind, organizationId, appUuid);
}

function scopeKey(kind: number, organizationId: string, name: string): Buffer | undefined {
  const organizationBytes = Buffer.byteLength(organizationId);
  const nameBytes = 2 * name.length;
  const length = headerBytes + organizationBytes + nameBytes;
  if (length > scopeBytesMax) return undefined;
  const key = Buffer.allocUnsafe(length);
  key[0] = kind;
  key.writeUInt16BE(organizationBytes, 1);
  key.writeUInt16BE(nameBytes, 3);
  key.write(organizationId, headerBytes, 'utf8');
  key.write(name, headerBytes + organizationBytes, 'utf16le');
  return key;
}
