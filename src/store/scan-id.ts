/** Bytes of a scan id as a key: those of its UUIDv7, so that keys sort by time. */
export const scanIdBytesLength = 16;

const pattern = /^scan_[0-9a-f]{32}$/;

/** The 16 bytes of a scan id; undefined for text that is not `scan_` and 32 lowercase hex digits. */
export function scanIdBytes(id: string): Buffer | undefined {
  return pattern.test(id) ? Buffer.from(id.slice(5), 'hex') : undefined;
}

/** Undoes `scanIdBytes`. */
export function scanIdText(bytes: Buffer): string {
  return `scan_${bytes.toString('hex')}`;
}

/** Times in the ids of scans and their times of creation differ by no more than this: stores refuse other records. */
export const createdAtSkewMs = 600_000;

/** Whether a record's time of creation goes with its id. */
export function isTimely(id: Buffer, createdAt: number): boolean {
  return Math.abs(id.readUIntBE(0, timeBytes) - createdAt) <= createdAtSkewMs;
}

/** Below all ids made at this time, in milliseconds since the Unix epoch, or later. */
export function lowestIdAt(ms: number): Buffer {
  const id = Buffer.alloc(scanIdBytesLength);
  id.writeUIntBE(Math.min(Math.max(0, Math.floor(ms)), 2 ** 48 - 1), 0, timeBytes);
  return id;
}

/** A UUIDv7 begins with its time (RFC 9562). */
const timeBytes = 6;
