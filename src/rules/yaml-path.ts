/** Keys and indices from the top of a YAML document to one of its values. */
export type YamlPath = readonly (string | number)[];

/** The path that a JSON pointer (RFC 6901) writes. */
export function pathOf(pointer: string): YamlPath {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
