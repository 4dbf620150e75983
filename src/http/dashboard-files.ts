import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { limits } from '../domain/limits.js';

/** One file of the built dashboard, in memory. */
export interface DashboardFile {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** The same bytes compressed, as the build wrote them beside the file. */
  readonly br?: Uint8Array;
  readonly gzip?: Uint8Array;
  /** Strong validator, with its quotes. */
  readonly etag: string;
}

/** The built dashboard: files by their path within the build, with `/` between folders. */
export type DashboardFiles = ReadonlyMap<string, DashboardFile>;

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * Reads the built dashboard; empty where there is none. Files of other kinds (source maps) are left out. Throws for a
 * build beyond `limits.dashboardFilesMax` or `limits.dashboardBytesMax`.
 */
export function readDashboard(folder: string): DashboardFiles {
  if (!statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.isFile()) return new Map();
  const contents = new Map<string, Buffer>();
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || contentTypeOf(entry.name.replace(/\.(br|gz)$/, '')) === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    bytes += statSync(path).size;
    if (contents.size >= limits.dashboardFilesMax || bytes > limits.dashboardBytesMax) {
      throw new Error(
        `The dashboard in ${folder} has more than ${limits.dashboardFilesMax} files or ${limits.dashboardBytesMax} bytes.`,
      );
    }
    contents.set(relative(folder, path).split(sep).join('/'), readFileSync(path));
  }
  const files = new Map<string, DashboardFile>();
  for (const [path, content] of contents) {
    const contentType = contentTypeOf(path);
    if (contentType === undefined) continue;
    const [br, gzip] = [contents.get(`${path}.br`), contents.get(`${path}.gz`)];
    const digest = createHash('sha256').update(content).digest('base64url').slice(0, 22);
    files.set(path, {
      contentType,
      bytes: content,
      ...(br === undefined ? {} : { br }),
      ...(gzip === undefined ? {} : { gzip }),
      etag: `"${digest}"`,
    });
  }
  return files;
}

function contentTypeOf(name: string): string | undefined {
  return contentTypes[extname(name).toLowerCase()];
}
