import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Kubernetes keeps the versions of a mounted volume in names with dots, behind the links that are meant; editors their locks, and a
 * repository its settings, which are YAML, too. Nobody who installs a linter beside the rules means its files.
 */
const passedOver = /^(?:\..*|node_modules)$/s;

/**
 * All files below a folder, ordered by name, but for names that begin with a dot and `node_modules`. Links are followed. Each folder is read once, under its own name where it
 * lies below `folder` itself: links in a circle come to an end. Hands `failed` what cannot be read, with its path.
 */
export function filesBelow(folder: string, failed: (path: string, error: unknown) => void): readonly string[] {
  const files: string[] = [];
  const links: string[] = [];
  const read = new Set<string>();
  const readFolder = (path: string): void => {
    const real = realpathSync(path);
    if (read.has(real)) return;
    read.add(real);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (passedOver.test(entry.name)) continue;
      const below = join(path, entry.name);
      if (entry.isDirectory()) attempt(below, readFolder);
      else if (entry.isSymbolicLink()) links.push(below);
      else if (entry.isFile()) files.push(below);
    }
  };
  const attempt = (path: string, work: (path: string) => void): void => {
    try {
      work(path);
    } catch (error) {
      failed(path, error);
    }
  };
  attempt(folder, readFolder);
  // Those that are met in linked folders are added while this goes on.
  for (const link of links) {
    attempt(link, () => {
      const target = statSync(link);
      if (target.isDirectory()) readFolder(link);
      else if (target.isFile()) files.push(link);
    });
  }
  return files.sort();
}
