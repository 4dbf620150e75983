/** Who speaks in a message, as far as rules and scan scopes care. */
export type RoleClass = 'system' | 'user' | 'assistant' | 'tool';

/** In lower case; every other role is a user's, the least trusted. */
const classes: ReadonlyMap<string, RoleClass> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** `developer` counts as system, `model` as assistant, `function` as tool; every other role as user, the least trusted. */
export function roleClassOf(role: string): RoleClass {
  return classes.get(role) ?? classes.get(role.toLowerCase()) ?? 'user';
}
