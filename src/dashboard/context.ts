import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Client } from './client.js';
import type { Scope, Session } from './wire.js';

/** What every page needs of the whole: made in `app.tsx`, once somebody has signed in. */
export interface AppContext {
  readonly client: Client;
  readonly session: Session;
  /** Takes over a session that the service has answered. */
  setSession(session: Session): void;
  /** Tells of a new name of the organization. */
  renameOrganization(name: string): void;
  /** Says something that has happened, aloud, too. */
  notify(text: string): void;
}

const context = createContext<AppContext | null>(null);
export const AppProvider = context.Provider;

export function useApp(): AppContext {
  const app = useContext(context);
  if (app === null) throw new Error('A page is shown outside of the app.');
  return app;
}

/** Whether the caller may do what needs this scope. */
export function useMay(scope: Scope): boolean {
  return useApp().session.scopes.includes(scope);
}
