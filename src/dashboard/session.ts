import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Client, createClient, type Problem } from './client.js';
import { asProblem } from './resource.js';
import type { Session } from './wire.js';

type State =
  | { readonly is: 'starting' }
  | { readonly is: 'failed'; readonly problem: Problem }
  | { readonly is: 'signed-out'; readonly why?: string }
  | { readonly is: 'signed-in'; readonly session: Session }
  /** The service does not know the session any more. What its page holds is kept for the same person. */
  | { readonly is: 'ended'; readonly session: Session };

interface SessionKeeper {
  readonly client: Client;
  /** Takes up the session of the browser's cookie, if there is one. */
  start(): void;
  /** Takes over a session that the service has answered. */
  setSession(session: Session): void;
  /** Tells of a new name of the organization; the session may be another than the one that was renamed in. */
  renameOrganization(name: string): void;
  /** Looks whether somebody else has signed in in another tab, or the role is another. */
  renew(): Promise<void>;
  signOut(): Promise<void>;
}

/** Who is signed in, and the client that acts for them. */
export function useSession(notify: (text: string) => void): SessionKeeper & { readonly state: State } {
  const [state, setState] = useState<State>({ is: 'starting' });
  const keeper = useMemo(() => keepSession(setState, notify), []);
  useEffect(() => {
    keeper.start();
    const renew = () => void keeper.renew();
    addEventListener('focus', renew);
    return () => removeEventListener('focus', renew);
  }, []);
  return { ...keeper, state };
}

type SetState = (next: State | ((old: State) => State)) => void;

function keepSession(setState: SetState, notify: (text: string) => void): SessionKeeper {
  let userId: string | undefined;
  /** Looks at the session, sign-ins and sign-outs so far, and the last that was taken over: answers to those before it are too old. */
  let asked = 0;
  let taken = 0;
  /** Requests that came after the end of the session, each told whether the same person has signed in again. */
  let waiting: ((isSame: boolean) => void)[] = [];

  const settle = (isSame: boolean) => {
    for (const tell of waiting) tell(isSame);
    waiting = [];
  };
  const take = (session: Session, turn: number) => {
    const isSame = session.user.id === userId;
    taken = turn;
    userId = session.user.id;
    client.setCsrfToken(session.csrf_token);
    setState({ is: 'signed-in', session });
    settle(isSame);
  };
  const setSession = (session: Session) => take(session, ++asked);
  const start = () => {
    setState({ is: 'starting' });
    client.get<Session>('/session').then(setSession, (error: unknown) => {
      const problem = asProblem(error);
      setState(problem.status === 401 ? { is: 'signed-out' } : { is: 'failed', problem });
    });
  };
  const end = () => setState((old) => (old.is === 'signed-in' ? { is: 'ended', session: old.session } : old));
  const renameOrganization = (name: string) =>
    setState((old) => {
      if (old.is !== 'signed-in' && old.is !== 'ended') return old;
      return { ...old, session: { ...old.session, organization: { ...old.session.organization, name } } };
    });
  /** Reads the session anew. Where that fails, so does what the page asks next, and says it. */
  const renew = async () => {
    const shown = userId;
    if (shown === undefined) return;
    const turn = ++asked;
    try {
      const session = await client.get<Session>('/session');
      if (turn < taken) return;
      take(session, turn);
      if (session.user.id !== shown) notify(`${session.user.email} has signed in in another tab.`);
    } catch (error) {
      if (turn > taken && asProblem(error).status === 401) end();
    }
  };
  const client = createClient({
    onSessionEnd: () => {
      end();
      return new Promise((tell) => waiting.push(tell));
    },
    onForbidden: async ({ type }) => {
      const shown = userId;
      await renew();
      if (userId !== shown || !type.endsWith('csrf')) return;
      notify('You have signed in again in another tab, so nothing was changed here. Please try again.');
    },
  });
  const signOut = async () => {
    await client.send('DELETE', '/session').catch((error: unknown) => {
      if (asProblem(error).status !== 401) throw error;
    });
    taken = ++asked;
    userId = undefined;
    client.setCsrfToken(null);
    setState({ is: 'signed-out', why: 'You have signed out.' });
    settle(false);
  };
  return { client, start, setSession, renameOrganization, renew, signOut };
}
