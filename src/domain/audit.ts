/** Who did an administrative act. */
export interface Actor {
  /** `command` is the `merlon` command, run by whoever may write the data folder. */
  readonly via: 'session' | 'token' | 'command';
  /** Absent for the command, as is the e-mail. */
  readonly userId?: string;
  readonly email?: string;
  /** The token that asked, of a user who may have many. */
  readonly tokenId?: string;
  /** Request that asked for it. */
  readonly requestId?: string;
}

/** What an act was done to. */
export interface AuditTarget {
  /** For instance `token`, `user`, `profile`. */
  readonly kind: string;
  readonly id: string;
  /** What people call it, at the time of the act. */
  readonly name: string;
}

/** A field before and after; a side that there was not is absent. Never a secret: of those only that they changed. */
export interface AuditChange {
  readonly before?: unknown;
  readonly after?: unknown;
}

export type AuditChanges = Readonly<Record<string, AuditChange>>;

/** One administrative act, as it is handed to the store. */
export interface AuditAct {
  /** Organization whose admins see it. */
  readonly organizationId: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly actor: Actor;
  /** What and what was done to it: `token.create`. */
  readonly action: `${string}.${string}`;
  readonly target: AuditTarget;
  readonly changes: AuditChanges;
}

/** An act as the log keeps it. */
export interface AuditEntry extends AuditAct {
  /** Counts up by one within its organization, from 1, in decimal: a gap would show that an entry is gone. */
  readonly id: string;
}
