import { useState } from 'preact/hooks';
import { fieldProblem, formProblem, useAction } from '../action.js';
import { useApp } from '../context.js';
import { useResource } from '../resource.js';
import type { PageProps } from '../routes.js';
import { Foreign } from '../text/foreign-text.js';
import { ConfirmButton } from '../ui/dialog.js';
import { PasswordField } from '../ui/field.js';
import { PageHead } from '../ui/page-head.js';
import { ProblemNotice } from '../ui/states.js';
import { Time } from '../ui/tags.js';
import type { Session } from '../wire.js';

/** What somebody may do with the own account. */
export function AccountPage(_props: PageProps) {
  const { client, session, notify } = useApp();
  // The one that the page began with is older than what was done since, and every request moves the end.
  const { expires_at: end } =
    useResource('session', (signal) => client.get<Session>('/session', { signal })).value ?? session;
  const signOutOthers = async () => {
    await client.send('DELETE', '/session/others');
    notify('Signed out everywhere else.');
  };
  return (
    <>
      <PageHead
        title="Account"
        intro={
          <>
            <Foreign text={session.user.email} ltr />, {session.user.role} of{' '}
            <Foreign text={session.organization.name} />
          </>
        }
      />
      <PasswordCard />
      <section class="card narrow">
        <h2>Sessions</h2>
        <p>
          This one ends <Time iso={end} ago /> unless it is used, and 7 days after you signed in even if it is.
        </p>
        <ConfirmButton
          label="Sign out everywhere else"
          title="Sign out everywhere else?"
          mild
          onConfirm={signOutOthers}
        >
          <p>All other sessions of yours end at once. Tokens go on working.</p>
        </ConfirmButton>
      </section>
    </>
  );
}

function PasswordCard() {
  const { client, setSession, notify } = useApp();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const action = useAction();
  const differs = again !== '' && again !== next;
  const submit = (event: Event) => {
    event.preventDefault();
    action.run(async () => {
      const body = { current_password: current, new_password: next };
      setSession(await client.send<Session>('PUT', '/session/password', body));
      for (const clear of [setCurrent, setNext, setAgain]) clear('');
      notify('Changed your password. All other sessions have ended.');
    });
  };
  return (
    <section class="card narrow">
      <h2>Password</h2>
      <form onSubmit={submit}>
        <PasswordField
          label="Current password"
          error={fieldProblem(action.problem, '/current_password')}
          kind="current"
          value={current}
          onInput={setCurrent}
        />
        <PasswordField
          label="New password"
          error={fieldProblem(action.problem, '/new_password')}
          kind="new"
          value={next}
          onInput={setNext}
        />
        <PasswordField
          label="New password again"
          error={differs ? 'These are not the same.' : undefined}
          kind="new"
          value={again}
          onInput={setAgain}
        />
        <ProblemNotice problem={formProblem(action.problem, ['/current_password', '/new_password'])} />
        <div class="actions">
          <button type="submit" class="primary" disabled={action.busy || next !== again}>
            Change password
          </button>
        </div>
        <p class="hint">Ends all of your other sessions.</p>
      </form>
    </section>
  );
}
