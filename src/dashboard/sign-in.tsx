import { useEffect, useRef, useState } from 'preact/hooks';
import { useAction } from './action.js';
import type { Client } from './client.js';
import { Field } from './ui/field.js';
import { Logo } from './ui/icons.js';
import { ProblemNotice } from './ui/states.js';
import type { Session } from './wire.js';

interface Props {
  readonly client: Client;
  /** Why somebody must sign in who had been signed in before. */
  readonly why?: string | undefined;
  onSignedIn(session: Session): void;
}

export function SignIn({ client, why, onSignedIn }: Props) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const action = useAction();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Sign in · Merlon';
    first.current?.focus();
  }, []);

  const submit = (event: Event) => {
    event.preventDefault();
    action.run(async () => onSignedIn(await client.send<Session>('POST', '/session', { email, password })));
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit} class="card">
        <div class="brand">
          <Logo />
          <span>Merlon</span>
        </div>
        <h1>Sign in</h1>
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
              ref={first}
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
        <Field label="Password">
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="current-password"
              required
              value={password}
              onInput={(event) => setPassword(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit" class="primary wide" disabled={action.busy}>
          {action.busy ? 'Signing in …' : 'Sign in'}
        </button>
        <p class="hint">
          The first start of the service prints the address and password of its admin. A lost password is set anew with{' '}
          <code>merlon user password ID</code>.
        </p>
      </form>
    </main>
  );
}
