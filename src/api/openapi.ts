import type { TSchema } from 'typebox';
import { type ErrorCode, errorTable } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import { checkedRulesResponse, customRulesRequest, customRulesResponse } from './custom-rules-schemas.js';
import { problemDetailExamples, signInLimitedExample } from './examples.js';
import { explainRequest, explainResponse } from './explain-schemas.js';
import {
  applicationPatch,
  applicationRecord,
  applicationRequest,
  applicationsResponse,
  auditResponse,
  issuedTokenResponse,
  organizationPatch,
  organizationResponse,
  passwordRequest,
  sessionResponse,
  sessionsEndedResponse,
  signInRequest,
  tokenRecord,
  tokenRequest,
  tokensResponse,
  userPatch,
  userRecord,
  userRequest,
  usersResponse,
} from './identity-schemas.js';
import type { Operation, ResponseDescription } from './operation.js';
import { overviewResponse } from './overview-schemas.js';
import { previewRequest, previewResponse } from './preview-operation.js';
import { isRetryable, problemContentType, problemType } from './problem.js';
import { profileHistoryResponse, profileRecord, profileRequest, profilesResponse } from './profile-schemas.js';
import { ruleRecord, rulesResponse } from './rule-schemas.js';
import {
  guardRequest,
  guardResponse,
  liveResponse,
  policiesResponse,
  problemResponse,
  readyResponse,
  resultsResponse,
} from './schemas.js';
import { plainCookieName } from './session-credentials.js';

/** Schemas that stand under their own name; all others are written where they are used. */
const named = new Map<TSchema, string>([
  [guardRequest, 'GuardRequest'],
  [guardResponse, 'GuardResponse'],
  [resultsResponse, 'ResultsResponse'],
  [explainRequest, 'ExplainRequest'],
  [explainResponse, 'ExplainResponse'],
  [overviewResponse, 'Overview'],
  [profileRequest, 'ProfileRequest'],
  [profileRecord, 'Profile'],
  [profilesResponse, 'Profiles'],
  [profileHistoryResponse, 'ProfileHistory'],
  [ruleRecord, 'Rule'],
  [rulesResponse, 'Rules'],
  [previewRequest, 'PreviewRequest'],
  [previewResponse, 'Preview'],
  [policiesResponse, 'PoliciesResponse'],
  [customRulesRequest, 'CustomRules'],
  [customRulesResponse, 'CustomRulesResponse'],
  [checkedRulesResponse, 'CheckedRulesResponse'],
  [signInRequest, 'SignIn'],
  [passwordRequest, 'PasswordChange'],
  [sessionResponse, 'Session'],
  [sessionsEndedResponse, 'SessionsEnded'],
  [tokenRequest, 'TokenRequest'],
  [tokenRecord, 'Token'],
  [issuedTokenResponse, 'IssuedToken'],
  [tokensResponse, 'Tokens'],
  [userRequest, 'UserRequest'],
  [userPatch, 'UserPatch'],
  [userRecord, 'User'],
  [usersResponse, 'Users'],
  [applicationRequest, 'ApplicationRequest'],
  [applicationPatch, 'ApplicationPatch'],
  [applicationRecord, 'Application'],
  [applicationsResponse, 'Applications'],
  [organizationPatch, 'OrganizationPatch'],
  [organizationResponse, 'Organization'],
  [auditResponse, 'AuditLog'],
  [problemResponse, 'Problem'],
  [liveResponse, 'Live'],
  [readyResponse, 'Ready'],
]);

/** The OpenAPI 3.1 document of a table of operations. Cost: some hundred small objects; make it once. */
export function openapiDocument(operations: readonly Operation[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    paths[operation.path][operation.method.toLowerCase()] = operationObject(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Merlon',
      version,
      description:
        'A guard for language-model traffic. Paths carry the major version; within it, fields are only ever added. ' +
        'Errors are problem documents (RFC 9457); an unknown path answers 404 and a wrong method 405 with `Allow`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: Object.fromEntries([...named].map(([schema, name]) => [name, schema])),
      headers,
      parameters: { RequestId: requestIdParameter },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A personal access token or a service key. Each operation names the scope that it needs; `admin` includes the others.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: plainCookieName,
          description:
            'The session of a person; over https the name begins with `__Host-`. The scopes are those of the role.',
        },
        csrf: {
          type: 'apiKey',
          in: 'header',
          name: 'X-CSRF-Token',
          description: 'With a session, in every request but GET and HEAD: `csrf_token` of the session.',
        },
      },
    },
  };
}

const requestIdParameter = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description: `Taken over when it is 1 to ${limits.requestIdLengthMax} visible ASCII characters.`,
  schema: { type: 'string', minLength: 1, maxLength: limits.requestIdLengthMax },
};

const headers = {
  'X-Request-Id': {
    description: 'Names this request in logs and records.',
    required: true,
    schema: { type: 'string' },
  },
  'X-Scan-Id': { description: 'Id of the scan record.', required: true, schema: { type: 'string' } },
  'X-Scan-Recorded': {
    description: '`false` where MERLON_DURABILITY asks for a stored record and there is none, or none yet.',
    schema: { type: 'string', const: 'false' },
  },
  'Server-Timing': { description: 'Duration of the scan in milliseconds.', schema: { type: 'string' } },
  'Set-Cookie': { description: 'Sets or takes away the session cookie.', required: true, schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait.', required: true, schema: { type: 'integer', minimum: 0 } },
  'RateLimit-Policy': {
    description:
      'Requests (`q`) in a window of seconds (`w`), where the operator limits each token; failed attempts, where those to sign in are too many.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'Requests that the token, or attempts that signing in, has left (`r`), and seconds until it has all of them again (`t`).',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': { description: 'The challenge (RFC 6750).', required: true, schema: { type: 'string' } },
};

function operationObject(operation: Operation): object {
  const parameters: object[] = [{ $ref: '#/components/parameters/RequestId' }];
  for (const [name, description] of Object.entries(operation.parameters ?? {})) {
    parameters.push({ name, in: 'path', required: true, description, schema: { type: 'string', minLength: 1 } });
  }
  for (const [name, schema] of Object.entries(operation.query?.properties ?? {})) {
    parameters.push({ name, in: 'query', required: false, schema });
  }
  const { body } = operation;
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: `${operation.description}${neededWords(operation)}`,
    security: securityOf(operation),
    parameters,
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: reference(body.schema), examples: body.examples } },
          },
        }),
    responses: {
      ...Object.fromEntries(operation.responses.map((response) => [response.status, responseObject(response)])),
      ...problemObjects(operation),
    },
  };
}

function neededWords(operation: Operation): string {
  const { scope } = operation;
  if (scope === null || scope === 'sign-in') return '';
  if (scope === 'session') return ' For people who are signed in; a token does not open it.';
  return 'anySession' in operation ? ` A token needs the scope \`${scope}\`.` : ` Needs the scope \`${scope}\`.`;
}

/** Each entry is one way to be let in; all schemes of an entry are needed together. */
function securityOf({ scope, method }: Operation): readonly object[] {
  if (scope === null || scope === 'sign-in') return [];
  const session = method === 'GET' ? { session: [] } : { session: [], csrf: [] };
  return scope === 'session' ? [session] : [{ bearer: [scope] }, session];
}

function responseObject(response: ResponseDescription): object {
  const { example } = response;
  return {
    description: response.description,
    headers: headerReferences(['X-Request-Id', ...response.headers]),
    content: {
      [response.contentType]: { schema: reference(response.schema), ...(example === undefined ? {} : { example }) },
    },
  };
}

/** Every error that an operation can answer, those that follow from its kind included. */
function errorsOf(operation: Operation): ReadonlySet<ErrorCode> {
  const errors = new Set<ErrorCode>(operation.errors);
  errors.add('internal');
  const { scope, method } = operation;
  if (scope !== null) errors.add('overloaded');
  if (scope !== null && scope !== 'sign-in') {
    for (const code of ['unauthorized', 'forbidden_origin', 'store_unavailable', 'draining'] as const) errors.add(code);
    if (method !== 'GET') errors.add('forbidden_csrf');
    if (scope !== 'session') errors.add('forbidden_scope').add('forbidden_role').add('rate_limited');
  }
  if (operation.body !== undefined) {
    for (const code of ['body_not_json', 'unsupported_media_type', 'body_too_large'] as const) errors.add(code);
  }
  return errors;
}

/** One response for each status, with an example for each error that has it. */
function problemObjects(operation: Operation): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) {
    const { status } = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Record<string, object> = {};
  for (const [status, codes] of byStatus) {
    responses[status] = {
      description: codes.map((code) => errorTable[code].title).join('; '),
      headers: headerReferences([
        'X-Request-Id',
        ...(codes.some(isRetryable) ? ['Retry-After'] : []),
        ...(codes.includes('unauthorized') ? ['WWW-Authenticate'] : []),
        ...(codes.includes('rate_limited') ? ['RateLimit-Policy', 'RateLimit'] : []),
      ]),
      content: {
        [problemContentType]: {
          schema: reference(problemResponse),
          examples: Object.fromEntries(codes.map((code) => [code, { value: problemExample(code, operation) }])),
        },
      },
    };
  }
  return responses;
}

function problemExample(code: ErrorCode, { scope }: Operation): object {
  const isSignInLimit = code === 'rate_limited' && (scope === 'sign-in' || scope === 'session');
  return {
    type: problemType(code),
    title: errorTable[code].title,
    status: errorTable[code].status,
    detail: isSignInLimit ? signInLimitedExample : problemDetailExamples[code],
    request_id: '4f0f7c1e-52b3-4b0e-9a55-1f6f4f6f3f11',
    ...(code === 'invalid_input' ? { errors: [{ pointer: '/messages/0/content', message: 'must be a string' }] } : {}),
  };
}

function headerReferences(names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function reference(schema: TSchema): object {
  const name = named.get(schema);
  return name === undefined ? schema : { $ref: `#/components/schemas/${name}` };
}
