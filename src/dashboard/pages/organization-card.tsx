import { useState } from 'preact/hooks';
import { fieldProblem, formProblem, useAction } from '../action.js';
import { useApp } from '../context.js';
import { Field } from '../ui/field.js';
import { ProblemNotice } from '../ui/states.js';

/** The organization's name, to be changed. */
export function OrganizationCard() {
  const { client, session, renameOrganization, notify } = useApp();
  const [name, setName] = useState(session.organization.name);
  const action = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    action.run(async () => {
      await client.send('PATCH', '/organization', { name });
      renameOrganization(name);
      notify('Saved the name of the organization.');
    });
  };
  return (
    <section class="card narrow">
      <h2>Organization</h2>
      <form onSubmit={submit}>
        <Field label="Name of the organization" error={fieldProblem(action.problem, '/name')}>
          {(control) => (
            <input {...control} required value={name} onInput={(event) => setName(event.currentTarget.value)} />
          )}
        </Field>
        <ProblemNotice problem={formProblem(action.problem, ['/name'])} />
        <div class="actions">
          <button type="submit" disabled={action.busy || name === session.organization.name}>
            Rename
          </button>
        </div>
      </form>
    </section>
  );
}
