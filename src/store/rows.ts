import type { TokenRecord, User } from '../domain/identity.js';

/** A second way to find a row: no two rows of the table may have the same key. */
export interface UniqueKey<T> {
  readonly keyOf: (row: T) => string;
  /** Message of the `StoreError` that refuses a row whose key another row has. */
  readonly taken: string;
}

/** E-mail addresses are compared in lower case. */
export const userEmail: UniqueKey<User> = {
  keyOf: (user) => user.email.toLowerCase(),
  taken: 'Another user has this e-mail address.',
};

/** SHA-256 of the token, lowercase hex. */
export const tokenHash: UniqueKey<TokenRecord> = {
  keyOf: (token) => token.hash,
  taken: 'Another token has this hash.',
};

/** Order of every `list`: by time of creation, then by id so that it never depends on the implementation. */
export function byCreation(a: Created, b: Created): number {
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

interface Created {
  readonly id: string;
  readonly createdAt: number;
}

/** The organization that `list` files a row under: its own id for an organization, else its owner's. */
export function owner(row: { readonly id: string; readonly organizationId?: string }): string {
  return row.organizationId ?? row.id;
}
