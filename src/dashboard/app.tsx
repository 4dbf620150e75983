import { useEffect, useState } from 'preact/hooks';
import { type AppContext, AppProvider } from './context.js';
import { followLink } from './router.js';
import { useSession } from './session.js';
import { Shell } from './shell.js';
import { SignIn, SignInAgain } from './sign-in.js';
import { Foreign } from './text/foreign-text.js';
import { Loading, ProblemNotice } from './ui/states.js';

const noticeMs = 6_000;

/** The whole page: asks who is signed in, and shows the sign-in or the pages. */
export function App() {
  const [notice, setNotice] = useState('');
  const { state, client, start, setSession, renameOrganization, signOut } = useSession(setNotice);

  useEffect(() => {
    document.addEventListener('click', followLink);
    return () => document.removeEventListener('click', followLink);
  }, []);

  useEffect(() => {
    if (notice === '') return;
    const timer = setTimeout(() => setNotice(''), noticeMs);
    return () => clearTimeout(timer);
  }, [notice]);

  if (state.is === 'starting') return <Loading what="the dashboard" />;
  if (state.is === 'failed') {
    return (
      <main class="alone">
        <ProblemNotice problem={state.problem} retry={start} />
      </main>
    );
  }
  if (state.is === 'signed-out') return <SignIn client={client} why={state.why} onSignedIn={setSession} />;
  const { session } = state;
  const app: AppContext = { client, session, setSession, renameOrganization, notify: setNotice };
  return (
    <AppProvider value={app}>
      <Shell key={session.user.id} onSignOut={signOut} />
      {state.is === 'ended' && <SignInAgain client={client} email={session.user.email} onSignedIn={setSession} />}
      <div class="toast" role="status" aria-live="polite">
        {notice !== '' && (
          <p>
            <Foreign text={notice} />
          </p>
        )}
      </div>
    </AppProvider>
  );
}
