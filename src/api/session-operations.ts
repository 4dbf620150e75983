import type { OpenedSession, SessionPrincipal } from '../guard/sessions.js';
import { withStore } from './administered.js';
import { passwordExamples, sessionExample, sessionsEndedExample, signInExamples } from './identity-examples.js';
import { passwordRequest, sessionResponse, sessionsEndedResponse, signInRequest } from './identity-schemas.js';
import { type ApiContext, jsonReply, type Reply, type SessionOperation, type SignInOperation } from './operation.js';
import { noSessionCookie, sessionCookie } from './session-credentials.js';
import { createChecker } from './validate.js';

/** Signing in and out, for people; programs use tokens. */

const path = '/api/v1/session';
const checkSignIn = createChecker(signInRequest, 'body');
const checkPassword = createChecker(passwordRequest, 'body');

const session = {
  status: 200,
  contentType: 'application/json',
  schema: sessionResponse,
  headers: [],
  example: sessionExample,
} as const;
const ended = { ...session, schema: sessionsEndedResponse, example: sessionsEndedExample } as const;

/** `POST /api/v1/session`. */
export const signInOperation: SignInOperation = {
  id: 'signIn',
  method: 'POST',
  path,
  scope: 'sign-in',
  summary: 'Sign in',
  description:
    'Begins a session and sets its cookie; a session whose cookie came along ends. What was wrong is not told. Attempts are ' +
    'limited by e-mail address and by network address.',
  body: { schema: signInRequest, examples: signInExamples },
  responses: [{ ...session, headers: ['Set-Cookie'], description: 'Signed in.' }],
  errors: ['unauthorized', 'forbidden_origin', 'invalid_input', 'rate_limited', 'store_unavailable', 'draining'],

  async answer(context, call, input, { address, sessionSecret }) {
    const { email, password } = checkSignIn(input.body);
    const replaces = sessionSecret === undefined ? {} : { replaces: sessionSecret };
    const attempt = { email, password, address, requestId: call.requestId, ...replaces };
    return withStore(async () => openedReply(context, await context.sessions.signIn(attempt)));
  },
};

/** `GET /api/v1/session`. */
export const readSessionOperation: SessionOperation = {
  id: 'readSession',
  method: 'GET',
  path,
  scope: 'session',
  summary: 'Who is signed in?',
  description: 'The session of the cookie.',
  responses: [{ ...session, description: 'The session.' }],
  errors: ['invalid_input'],

  answer: (context, _call, principal) => withStore(() => jsonReply(sessionBody(context, principal))),
};

/** `DELETE /api/v1/session`. */
export const signOutOperation: SessionOperation = {
  id: 'signOut',
  method: 'DELETE',
  path,
  scope: 'session',
  summary: 'Sign out',
  description: 'Ends the session, at once and everywhere, and takes the cookie away.',
  responses: [{ ...ended, headers: ['Set-Cookie'], description: 'Signed out.' }],
  errors: ['invalid_input'],

  answer: (context, call, principal) =>
    withStore(async () => {
      await context.sessions.end(principal, call.requestId);
      return jsonReply({ ended: 1 }, [noSessionCookie(context.web)]);
    }),
};

/** `DELETE /api/v1/session/others`. */
export const endOtherSessionsOperation: SessionOperation = {
  id: 'endOtherSessions',
  method: 'DELETE',
  path: `${path}/others`,
  scope: 'session',
  summary: 'Sign out everywhere else',
  description: 'Ends all other sessions of the user, at once.',
  responses: [{ ...ended, description: 'How many there were.' }],
  errors: ['invalid_input'],

  answer: (context, call, principal) =>
    withStore(async () => jsonReply({ ended: await context.sessions.endOthers(principal, call.requestId) })),
};

/** `PUT /api/v1/session/password`. */
export const changePasswordOperation: SessionOperation = {
  id: 'changePassword',
  method: 'PUT',
  path: `${path}/password`,
  scope: 'session',
  summary: 'Change the own password',
  description: 'Sets another password, ends all sessions of the user and begins a new one, whose cookie it sets.',
  body: { schema: passwordRequest, examples: passwordExamples },
  responses: [{ ...session, headers: ['Set-Cookie'], description: 'The new session.' }],
  errors: ['invalid_input', 'conflict', 'rate_limited'],

  answer(context, call, principal, input, { address }) {
    const { current_password: current, new_password: next } = checkPassword(input.body);
    const change = { current, next, address, requestId: call.requestId };
    return withStore(async () => openedReply(context, await context.sessions.changePassword(principal, change)));
  },
};

function openedReply(context: ApiContext, { secret, principal }: OpenedSession): Reply {
  return jsonReply(sessionBody(context, principal), [sessionCookie(context.web, secret)]);
}

function sessionBody(context: ApiContext, principal: SessionPrincipal) {
  const { user, organization } = context.sessions.ownerOf(principal);
  return {
    user: { id: user.id, email: user.email, role: user.role, profile_id: user.profileId },
    organization: { id: organization.id, name: organization.name },
    csrf_token: principal.csrfToken,
    expires_at: new Date(principal.expiresAt).toISOString(),
    scopes: principal.scopes,
    version: context.version,
  };
}
