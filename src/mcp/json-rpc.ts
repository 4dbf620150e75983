import type { Header } from '../api/http-terms.js';
import { isRetryable, problemType } from '../api/problem.js';
import type { Answer } from '../api/route.js';
import type { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';

/** The id of a JSON-RPC request; null in an answer to what had none that could be read. */
export type RpcId = string | number | null;

/** Codes of JSON-RPC 2.0 section 5.1. */
export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  invalidParams: -32_602,
  internalError: -32_603,
} as const;

/** The id in a message that may be anything: the request's own where it is a string or a number, else null. */
export function rpcIdOf(message: unknown): RpcId {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return null;
  const id: unknown = Reflect.get(message, 'id');
  return typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? id : null;
}

/**
 * A message of a library as clients get it. Of wrong parameters the libraries tell in a page of their schemas' JSON, and take
 * some for an error of their own.
 */
export function inPlainWords<Message extends object>(message: Message): Message {
  const error: unknown = Reflect.get(message, 'error');
  if (typeof error !== 'object' || error === null) return message;
  const code: unknown = Reflect.get(error, 'code');
  if (code !== rpcCodes.internalError && code !== rpcCodes.invalidParams) return message;
  if (!String(Reflect.get(error, 'message')).endsWith('}\n]')) return message;
  return {
    ...message,
    error: { code: rpcCodes.invalidParams, message: 'The parameters of the request are not valid.' },
  };
}

/** An HTTP answer whose body is a JSON-RPC error. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  id: RpcId,
  more: { readonly data?: object; readonly headers?: readonly Header[] } = {},
): Answer {
  const error = { code, message, ...(more.data === undefined ? {} : { data: more.data }) };
  const body = JSON.stringify({ jsonrpc: '2.0', error, id });
  return { status, contentType: 'application/json', body, headers: more.headers ?? [] };
}

/**
 * A refusal or a failure of the service. Its code is the HTTP status: codes of our own must lie outside the range
 * that JSON-RPC and MCP keep to themselves.
 */
export function failureAnswer(
  error: GuardError,
  id: RpcId,
  requestId: string,
  headers: readonly Header[] = [],
): Answer {
  const retry: readonly Header[] = isRetryable(error.code)
    ? [['Retry-After', String(error.retryAfterSeconds ?? limits.retryAfterSeconds)]]
    : [];
  return rpcError(error.status, error.status, error.message, id, {
    data: { type: problemType(error.code), request_id: requestId },
    headers: [...retry, ...headers],
  });
}
