import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * What the page may import: itself, the few libraries that it is built with, and shapes of `src/api` as types. The
 * tool that holds the import directions of the service cannot read JSX.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = join(root, 'src', 'dashboard');
const libraries = ['preact', 'preact/hooks', 'uplot', 'uplot/dist/uPlot.min.css'];
const fromClause = /^(?:import|export)( type)?\s[^;]*?\sfrom '([^']+)';/gm;
const loadedLater = /\bimport\('([^']+)'\)/g;
const forItsEffect = /^import '([^']+)';/gm;

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isType: boolean;
  /** It is loaded when it is asked for, so that it closes no circle. */
  readonly isLate: boolean;
}

const files = readdirSync(page, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.d)\.tsx?$/.test(file))
  .map((file) => join(page, file));

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const named = [...text.matchAll(fromClause)].map(([, type, target]) => ({ target, isType: type !== undefined }));
  const others = [...text.matchAll(forItsEffect)].map(([, target]) => ({ target, isType: false }));
  const late = [...text.matchAll(loadedLater)].map(([, target]) => ({ target, isType: false, isLate: true }));
  return [...named, ...others, ...late].map((one) => ({
    file,
    isLate: false,
    ...one,
    target: one.target.startsWith('.') ? join(dirname(file), one.target) : one.target,
  }));
}

const imports = files.flatMap(importsOf);

/** The source of a module that is imported by the name of what it compiles to. */
const sourceOf = (target: string) => files.find((file) => file.replace(/\.tsx?$/, '.js') === target);

describe('imports of the page', () => {
  it('are of itself, of its libraries, or types of the interface', () => {
    const strange = imports.filter(({ target, isType }) => {
      if (!target.startsWith(root)) return !libraries.includes(target);
      if (sourceOf(target) !== undefined) return false;
      return !(isType && relative(join(root, 'src', 'api'), target).startsWith('..') === false);
    });
    expect(strange.map(({ file, target }) => `${relative(root, file)} imports ${target}`)).toEqual([]);
    expect(files.length).toBeGreaterThan(40);
    expect(imports.length).toBeGreaterThan(150);
  });

  it('go in no circle', () => {
    const next = new Map(
      files.map((file) => [
        file,
        imports
          .filter((one) => one.file === file && !one.isLate && !one.isType)
          .flatMap(({ target }) => sourceOf(target) ?? []),
      ]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const walk = (file: string, above: readonly string[]): void => {
      if (above.includes(file)) circles.push([...above, file].map((one) => relative(page, one)).join(' → '));
      if (above.includes(file) || done.has(file)) return;
      for (const target of next.get(file) ?? []) walk(target, [...above, file]);
      done.add(file);
    };
    for (const file of files) walk(file, []);
    expect(circles).toEqual([]);
  });
});
