/** Who speaks in a message, as far as rules and scan scopes care. */
export type RoleClass = 'system' | 'user' | 'assistant' | 'tool';

/** `developer` counts as system, `model` as assistant, `function` as tool; every other role as user, the least trusted. */
export function roleClassOf(role: string): RoleClass {
  switch (role.toLowerCase()) {
    case 'system':
    case 'developer':
      return 'system';
    case 'assistant':
    case 'model':
      return 'assistant';
    case 'tool':
    case 'function':
      return 'tool';
    default:
      return 'user';
  }
}
