import { rpcIdOf } from './json-rpc.js';

/*
 * Calls that the protocol libraries would refuse in the words of their own schemas, a page of JSON. What is wrong with
 * the arguments is the tool's to say, so that a model can mend it.
 */

/** A `tools/call` as it came. */
interface LooseCall {
  /** Absent where the message has none. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** The arguments, where they are there and no object. */
  readonly oddArguments?: { readonly given: unknown };
}

/** The call in a message, or undefined where it is another request, wants no answer, or has parameters of another shape. */
export function looseCallIn(message: unknown): LooseCall | undefined {
  if (!isObject(message) || message.jsonrpc !== '2.0' || message.method !== 'tools/call') return undefined;
  if (rpcIdOf(message) === null) return undefined;
  const { params } = message;
  if (params === undefined) return {};
  if (!isObject(params)) return undefined;
  const given = params.arguments;
  return given === undefined || isObject(given) ? { params } : { params, oddArguments: { given } };
}

/** The message without its arguments, which the library then passes on as left out. */
export function withoutArguments(message: unknown, params: Readonly<Record<string, unknown>>): unknown {
  const { arguments: _, ...rest } = params;
  return { ...Object(message), params: rest };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
