import { useState } from 'preact/hooks';
import { fieldProblem, formProblem, useAction } from '../action.js';
import { changedFields } from '../changed-fields.js';
import { useApp } from '../context.js';
import { useProfiles } from '../directory.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { ProblemNotice } from '../ui/states.js';
import type { Application } from '../wire.js';
import { ProfileSelect } from './profile-select.js';

interface Props {
  /** Undefined for a new one. */
  readonly application: Application | undefined;
  onClose(): void;
  onSaved(): void;
}

/** Makes an application, or gives one another name or profile. */
export function ApplicationDialog({ application, onClose, onSaved }: Props) {
  const { client, notify } = useApp();
  const profiles = useProfiles();
  const opened = { name: application?.name ?? '', profile_id: application?.profile_id ?? 'default' };
  const [name, setName] = useState(opened.name);
  const [profileId, setProfileId] = useState(opened.profile_id);
  const action = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    action.run(async () => {
      const fields = { name, profile_id: profileId };
      if (application === undefined) await client.send('POST', '/applications', fields);
      else {
        const change = changedFields(opened, fields);
        await client.send('PATCH', `/applications/${encodeURIComponent(application.id)}`, change);
      }
      notify(`Saved ${name}.`);
      onSaved();
    });
  };
  return (
    <Dialog
      title={application === undefined ? 'New application' : 'Edit application'}
      onClose={onClose}
      busy={action.busy}
    >
      <form onSubmit={submit}>
        <Field label="Name" error={fieldProblem(action.problem, '/name')}>
          {(control) => (
            <input {...control} required value={name} onInput={(event) => setName(event.currentTarget.value)} />
          )}
        </Field>
        <ProfileSelect
          label="Profile"
          value={profileId}
          profiles={profiles.value ?? []}
          error={fieldProblem(action.problem, '/profile_id')}
          onChange={setProfileId}
        />
        <ProblemNotice problem={profiles.problem} retry={profiles.reload} />
        <ProblemNotice problem={formProblem(action.problem, ['/name', '/profile_id'])} />
        <div class="actions end">
          <button type="button" disabled={action.busy} onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={action.busy || profiles.value === undefined}>
            {application === undefined ? 'Create application' : 'Save'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
