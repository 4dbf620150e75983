/** Who speaks in a message, as far as rules and scan scopes care. */
export type RoleClass = 'system' | 'user' | 'assistant' | 'tool';

/** In lower case, with the names that frameworks have for them; every other role is a user's, the least trusted. */
const classes: ReadonlyMap<string, RoleClass> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['ai', 'assistant'],
  ['bot', 'assistant'],
  ['chatbot', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['tool_result', 'tool'],
  ['tool_response', 'tool'],
  ['function_result', 'tool'],
  ['function_response', 'tool'],
  ['observation', 'tool'],
  ['ipython', 'tool'],
  ['retrieval', 'tool'],
  ['retrieved', 'tool'],
  ['context', 'tool'],
  ['document', 'tool'],
]);

/**
 * `developer` counts as system, `model` and `ai` as assistant, `function`, `tool_result`, `observation` or `document` as tool, in any
 * case and with spaces around them; every other role as user, the least trusted.
 */
export function roleClassOf(role: string): RoleClass {
  return knownClassOf(role) ?? 'user';
}

/** A role as it was sent where it is one of the names above; of any other, which may be any text, the `user` that it counts as. */
export function knownRoleOf(role: string): string {
  return knownClassOf(role) ? role : 'user';
}

function knownClassOf(role: string): RoleClass | undefined {
  return classes.get(role) ?? classes.get(role.trim().toLowerCase().replaceAll('-', '_'));
}
