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
