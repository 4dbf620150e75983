import type { Writes } from './store.js';

/** Each table that an act can write to has what writes in a transaction that is under way. */
type WritableTables = { readonly [Name in Exclude<keyof Writes, 'audit'>]: { readonly writes: Writes[Name] } };

export function writesOf(tables: WritableTables, audit: Writes['audit']): Writes {
  const { organizations, users, applications, tokens, customRules, profiles, sessions } = tables;
  return {
    organizations: organizations.writes,
    users: users.writes,
    applications: applications.writes,
    tokens: tokens.writes,
    customRules: customRules.writes,
    profiles: profiles.writes,
    sessions: sessions.writes,
    audit,
  };
}
