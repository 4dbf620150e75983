const roleClasses = ['system', 'user', 'assistant', 'tool'] as const;

/** Who speaks in a message, as far as rules and scan scopes care. */
export type RoleClass = (typeof roleClasses)[number];

/** The names that frameworks have for each, in lower case; every other role is a user's, the least trusted. */
export const roleNames: Readonly<Record<RoleClass, readonly string[]>> = {
  system: ['system', 'developer'],
  user: ['user'],
  assistant: ['assistant', 'model', 'ai', 'bot', 'chatbot'],
  tool: [
    'tool',
    'function',
    'tool_result',
    'tool_response',
    'function_result',
    'function_response',
    'observation',
    'ipython',
    'retrieval',
    'retrieved',
    'context',
    'document',
  ],
};

const classes: ReadonlyMap<string, RoleClass> = new Map(
  roleClasses.flatMap((of) => roleNames[of].map((name): [string, RoleClass] => [name, of])),
);

/** What a role counts as: by `roleNames` in any case, with spaces around and `-` for `_`; every other one is a user's. */
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
