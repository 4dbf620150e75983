/**
 * The fields that a person has changed of what a form was opened with. Only these are sent: what somebody else has changed
 * meanwhile, and this form shows as it was, is not undone.
 */
export function changedFields<Fields extends object>(opened: Fields, now: Fields): Partial<Fields> {
  const changed: Partial<Fields> = {};
  for (const name in now) if (now[name] !== opened[name]) changed[name] = now[name];
  return changed;
}
