import type { Diagnostic } from './diagnostic.js';
import type { LocatedRule } from './ruleset.js';
import type { YamlPath } from './yaml-path.js';

/** What the skeleton of a new rule holds where its author is to write. */
const placeholder = /FILL[ -]IN/;

/** Reports every value of a rule that is still as `ruleSkeleton` wrote it. */
export function checkPlaceholders(rules: readonly LocatedRule[]): readonly Diagnostic[] {
  return rules.flatMap(({ source, pack, path }) =>
    placesOf(source, path).map((place) =>
      pack.diagnostic('E304', `${source.id}: ${place.slice(path.length).join('.')} is still to be filled in`, place),
    ),
  );
}

function placesOf(value: unknown, path: YamlPath): readonly YamlPath[] {
  if (typeof value === 'string') return placeholder.test(value) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((each, index) => placesOf(each, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => placesOf(each, [...path, key]));
}

/**
 * A new rule as YAML, indented as an entry of a pack: it compiles and passes its own examples, and `checkPlaceholders`
 * names all that its author has to write.
 */
export function ruleSkeleton(id: string, label: string): string {
  return `  - id: ${id}
    label: ${label}
    title: FILL IN what it finds, as people will read it
    severity: medium
    # 0.5 and more convicts alone, 0.2 to 0.4 is a hint that needs another.
    score: 0.5
    patterns:
      # Or a regex with a literal of three characters or more: - regex: '\\bAKIA[0-9A-Z]{16}\\b'
      - phrase: "FILL IN the words of the attack"
    why: FILL IN why a hit is a risk.
    misses: FILL IN what it is known not to see.
    references: [https://example.org/FILL-IN]
    examples:
      match:
        - "FILL IN the words of the attack, as one would meet them"
        - text: "Another one: FILL IN the words of the attack."
          hit: "FILL IN the words of the attack"
      clean:
        - "FILL IN an ordinary text of the same matter"
        - "FILL IN another one"
      near:
        - "FILL IN a harmless text that looks like the attack"
`;
}
