import type { ComponentType } from 'preact';
import type { Scope } from './wire.js';

/** Every page: where it is, who sees it, and where its code is. */
export interface Route {
  /** First part of its path; empty for the first page. */
  readonly path: string;
  readonly title: string;
  readonly group: 'Watch' | 'Tune' | 'Administer' | 'You';
  /** The session must have this scope, else the page is not offered. */
  readonly scope?: Scope;
  /** The page is loaded when it is first shown. */
  load(): Promise<ComponentType<PageProps>>;
}

export interface PageProps {
  /** Second part of the path: the id of what is shown; empty for the list. */
  readonly id: string;
  readonly query: URLSearchParams;
}

export const routes: readonly Route[] = [
  {
    path: '',
    title: 'Overview',
    group: 'Watch',
    scope: 'results:read',
    load: () => import('./pages/overview.js').then((page) => page.OverviewPage),
  },
  {
    path: 'scans',
    title: 'Scans',
    group: 'Watch',
    scope: 'results:read',
    load: () => import('./pages/scans.js').then((page) => page.ScansPage),
  },
  {
    path: 'playground',
    title: 'Playground',
    group: 'Watch',
    scope: 'guard:scan',
    load: () => import('./pages/playground.js').then((page) => page.PlaygroundPage),
  },
  {
    path: 'profiles',
    title: 'Profiles',
    group: 'Tune',
    scope: 'policies:read',
    load: () => import('./pages/profiles.js').then((page) => page.ProfilesPage),
  },
  {
    path: 'own-rules',
    title: 'Own rules',
    group: 'Tune',
    scope: 'admin',
    load: () => import('./pages/own-rules.js').then((page) => page.OwnRulesPage),
  },
  {
    path: 'rules',
    title: 'Rules',
    group: 'Tune',
    scope: 'policies:read',
    load: () => import('./pages/rules.js').then((page) => page.RulesPage),
  },
  {
    path: 'applications',
    title: 'Applications',
    group: 'Administer',
    scope: 'policies:read',
    load: () => import('./pages/applications.js').then((page) => page.ApplicationsPage),
  },
  {
    path: 'tokens',
    title: 'Tokens',
    group: 'Administer',
    load: () => import('./pages/tokens.js').then((page) => page.TokensPage),
  },
  {
    path: 'users',
    title: 'Users',
    group: 'Administer',
    scope: 'admin',
    load: () => import('./pages/users.js').then((page) => page.UsersPage),
  },
  {
    path: 'audit',
    title: 'Audit log',
    group: 'Administer',
    scope: 'admin',
    load: () => import('./pages/audit.js').then((page) => page.AuditPage),
  },
  {
    path: 'account',
    title: 'Account',
    group: 'You',
    load: () => import('./pages/account.js').then((page) => page.AccountPage),
  },
];

export function maySee(route: Route, session: { readonly scopes: readonly Scope[] }): boolean {
  return route.scope === undefined || session.scopes.includes(route.scope);
}
