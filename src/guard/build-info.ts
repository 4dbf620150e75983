import { readFileSync } from 'node:fs';

/** What this build was made from. */
export interface BuildInfo {
  readonly version: string;
  readonly gitRevision: string;
  /** Unix seconds, as a string; `0` where it is not known. */
  readonly gitTimestamp: string;
  /** Hash of the sources that were built; undefined where they run without a build. */
  readonly buildId: string | undefined;
}

/**
 * Reads what the build step wrote (`dist/build-info.json`). Sources that were never built, as in tests, and builds
 * outside a git checkout say `unknown`.
 */
export function readBuildInfo(): BuildInfo {
  const written = readJson(new URL('../build-info.json', import.meta.url));
  const manifest = readJson(new URL('../../package.json', import.meta.url));
  return {
    version: textOr(manifest.version, '0.0.0'),
    gitRevision: textOr(written.gitRevision, 'unknown'),
    gitTimestamp: textOr(written.gitTimestamp, '0'),
    buildId: typeof written.buildId === 'string' ? written.buildId : undefined,
  };
}

function readJson(url: URL): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readFileSync(url, 'utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
