import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { type Client, createClient, type Problem } from './client.js';
import { type AppContext, AppProvider } from './context.js';
import { asProblem } from './resource.js';
import { followLink } from './router.js';
import { Shell } from './shell.js';
import { SignIn } from './sign-in.js';
import { Loading, ProblemNotice } from './ui/states.js';
import type { Session } from './wire.js';

const noticeMs = 6_000;

type State =
  | { readonly is: 'starting' }
  | { readonly is: 'failed'; readonly problem: Problem }
  | { readonly is: 'signed-out'; readonly why?: string }
  | { readonly is: 'signed-in'; readonly session: Session };

/** The whole page: asks who is signed in, and shows the sign-in or the pages. */
export function App() {
  const [state, setState] = useState<State>({ is: 'starting' });
  const [notice, setNotice] = useState('');
  const client: Client = useMemo(
    () =>
      createClient({
        onSignedOut: () => {
          client.setCsrfToken(null);
          setState({ is: 'signed-out', why: 'Your session has ended. Please sign in again.' });
        },
        onOtherSession: () => {
          setNotice('You have signed in again in another tab, so nothing was changed here. Please try again.');
          resume(client, setSession, setState);
        },
      }),
    [],
  );

  const setSession = useCallback((session: Session) => {
    client.setCsrfToken(session.csrf_token);
    setState({ is: 'signed-in', session });
  }, []);
  const start = () => {
    setState({ is: 'starting' });
    resume(client, setSession, setState);
  };
  useEffect(start, []);

  useEffect(() => {
    document.addEventListener('click', followLink);
    return () => document.removeEventListener('click', followLink);
  }, []);

  useEffect(() => {
    if (notice === '') return;
    const timer = setTimeout(() => setNotice(''), noticeMs);
    return () => clearTimeout(timer);
  }, [notice]);

  const signOut = useCallback(async () => {
    await client.send('DELETE', '/session');
    client.setCsrfToken(null);
    setState({ is: 'signed-out', why: 'You have signed out.' });
  }, []);

  if (state.is === 'starting') return <Loading what="the dashboard" />;
  if (state.is === 'failed') {
    return (
      <main class="alone">
        <ProblemNotice problem={state.problem} retry={start} />
      </main>
    );
  }
  if (state.is === 'signed-out') return <SignIn client={client} why={state.why} onSignedIn={setSession} />;
  const app: AppContext = { client, session: state.session, setSession, notify: setNotice };
  return (
    <AppProvider value={app}>
      <Shell onSignOut={signOut} />
      <div class="toast" role="status" aria-live="polite">
        {notice !== '' && <p>{notice}</p>}
      </div>
    </AppProvider>
  );
}

/** Takes up the session of the browser's cookie, if there is one. */
function resume(client: Client, onSession: (session: Session) => void, setState: (state: State) => void): void {
  client.get<Session>('/session').then(onSession, (error: unknown) => {
    const problem = asProblem(error);
    setState(problem.status === 401 ? { is: 'signed-out' } : { is: 'failed', problem });
  });
}
