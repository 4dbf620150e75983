import { useState } from 'preact/hooks';
import { fieldProblem, formProblem, useAction } from '../action.js';
import { changedFields } from '../changed-fields.js';
import { useApp } from '../context.js';
import { useProfiles } from '../directory.js';
import { Dialog } from '../ui/dialog.js';
import { Field, PasswordField } from '../ui/field.js';
import { ProblemNotice } from '../ui/states.js';
import type { Role, User } from '../wire.js';
import { ProfileSelect } from './profile-select.js';

const roles: readonly Role[] = ['admin', 'member', 'viewer'];

interface Props {
  /** Undefined for a new one. */
  readonly user: User | undefined;
  onClose(): void;
  onSaved(): void;
}

/** Makes a user, or changes role, profile and password of one. */
export function UserDialog({ user, onClose, onSaved }: Props) {
  const { client, session, notify } = useApp();
  const profiles = useProfiles();
  const [email, setEmail] = useState('');
  const opened = { role: user?.role ?? 'member', profile_id: user?.profile_id ?? 'default' };
  const [role, setRole] = useState<Role>(opened.role);
  const [service, setService] = useState(user?.service ?? false);
  const [profileId, setProfileId] = useState(opened.profile_id);
  const [password, setPassword] = useState('');
  const action = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    action.run(async () => {
      const secret = service || password === '' ? {} : { password };
      const fields = { role, profile_id: profileId };
      if (user === undefined) {
        await client.send('POST', '/users', { email, ...fields, ...(service ? { service } : {}), ...secret });
      } else {
        const change = { ...changedFields(opened, fields), ...secret };
        await client.send('PATCH', `/users/${encodeURIComponent(user.id)}`, change);
      }
      notify(user === undefined ? `Made ${email}.` : `Saved ${user.email}.`);
      onSaved();
    });
  };
  return (
    <Dialog title={user === undefined ? 'New user' : 'Edit user'} onClose={onClose} busy={action.busy}>
      <form onSubmit={submit}>
        {user === undefined && (
          <>
            <Field label="E-mail" error={fieldProblem(action.problem, '/email')}>
              {(control) => (
                <input
                  {...control}
                  type="text"
                  inputMode="email"
                  autoComplete="off"
                  required
                  value={email}
                  onInput={(event) => setEmail(event.currentTarget.value)}
                />
              )}
            </Field>
            <fieldset class="checks">
              <legend class="visually-hidden">Kind</legend>
              <label>
                <input
                  type="checkbox"
                  checked={service}
                  onChange={(event) => setService(event.currentTarget.checked)}
                />
                <span>A service user: owns keys, cannot sign in</span>
              </label>
            </fieldset>
          </>
        )}
        <div class="form-row">
          <Field label="Role" error={fieldProblem(action.problem, '/role')}>
            {(control) => (
              <select
                {...control}
                value={role}
                onChange={(event) => setRole(roles.find((one) => one === event.currentTarget.value) ?? role)}
              >
                {roles.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            )}
          </Field>
          <ProfileSelect
            label="Default profile"
            value={profileId}
            profiles={profiles.value ?? []}
            error={fieldProblem(action.problem, '/profile_id')}
            onChange={setProfileId}
          />
        </div>
        {!service && user?.id !== session.user.id && (
          <PasswordField
            label={user === undefined ? 'Password' : 'New password'}
            hint={user === undefined ? 'To be handed over, and changed under Account.' : 'Left as it is when empty.'}
            error={fieldProblem(action.problem, '/password')}
            kind="new"
            optional={user !== undefined}
            value={password}
            onInput={setPassword}
          />
        )}
        <ProblemNotice problem={profiles.problem} retry={profiles.reload} />
        <ProblemNotice problem={formProblem(action.problem, ['/email', '/role', '/profile_id', '/password'])} />
        <div class="actions end">
          <button type="button" disabled={action.busy} onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={action.busy || profiles.value === undefined}>
            {user === undefined ? 'Create user' : 'Save'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
