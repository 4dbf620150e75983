import { useEffect, useRef, useState } from 'preact/hooks';
import { useAction } from './action.js';
import type { Client } from './client.js';
import { Dialog } from './ui/dialog.js';
import { Field, PasswordField } from './ui/field.js';
import { Logo } from './ui/icons.js';
import { ProblemNotice } from './ui/states.js';
import type { Session } from './wire.js';

interface Props {
  readonly client: Client;
  /** Why somebody must sign in who had been signed in before. */
  readonly why?: string | undefined;
  /** Who had been signed in. */
  readonly email?: string;
  onSignedIn(session: Session): void;
}

/** The page for somebody who is not signed in. */
export function SignIn(props: Props) {
  useEffect(() => {
    document.title = 'Sign in · Merlon';
  }, []);
  return (
    <main class="sign-in">
      <div class="card">
        <div class="brand">
          <Logo />
          <span>Merlon</span>
        </div>
        <h1>Sign in</h1>
        <SignInForm {...props} />
        <p class="hint">
          The first start of the service prints the address and password of its admin. A lost password is set anew with{' '}
          <code>merlon user password ID</code>.
        </p>
      </div>
    </main>
  );
}

/** The same above a page that may hold what is not saved; that page is hidden, because it is not for whoever comes by. */
export function SignInAgain(props: Props) {
  return (
    <Dialog title="Sign in again" cover>
      <SignInForm
        {...props}
        why="Your session has ended. What you have not saved is still here once you sign in again."
      />
    </Dialog>
  );
}

function SignInForm({ client, why, email: known = '', onSignedIn }: Props) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const action = useAction();
  const form = useRef<HTMLFormElement>(null);
  // The first that is to be filled in.
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input:invalid')?.focus(), []);

  const submit = (event: Event) => {
    event.preventDefault();
    action.run(async () =>
      onSignedIn(await client.send<Session>('POST', '/session', { email: email.trim(), password })),
    );
  };
  return (
    <form ref={form} onSubmit={submit}>
      {why !== undefined && action.problem === undefined && (
        <p class="notice" role="status">
          {why}
        </p>
      )}
      <ProblemNotice problem={action.problem} />
      <Field label="E-mail">
        {(control) => (
          <input
            {...control}
            type="text"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellcheck={false}
            required
            value={email}
            onInput={(event) => setEmail(event.currentTarget.value)}
          />
        )}
      </Field>
      <PasswordField label="Password" kind="current" value={password} onInput={setPassword} />
      <button type="submit" class="primary wide" disabled={action.busy}>
        {action.busy ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  );
}
