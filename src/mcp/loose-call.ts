import { randomUUID } from 'node:crypto';
import { rpcIdOf } from './json-rpc.js';
import { toolName } from './tool.js';

/*
 * Calls that the protocol libraries would refuse in the words of their own schemas, a page of JSON. What is wrong with
 * the arguments is the tool's to say, so that a model can mend it.
 */

/** A `tools/call` as it came; without parameters where the message has none. */
interface LooseCall {
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The call in a message, or undefined where it is another request, wants no answer, or has parameters of another shape. */
export function looseCallIn(message: unknown): LooseCall | undefined {
  if (!isObject(message) || message.jsonrpc !== '2.0' || message.method !== 'tools/call') return undefined;
  if (rpcIdOf(message) === null) return undefined;
  const { params } = message;
  if (params === undefined) return {};
  return isObject(params) ? { params } : undefined;
}

/** What is wrong with a call that names no tool; undefined for others. */
export function missingName({ params }: LooseCall): string | undefined {
  return typeof params?.name === 'string' ? undefined : `The name of a tool is missing; there is ${toolName}`;
}

/** Nobody can send it, so what has it is made here. */
const oddKey = randomUUID();

/**
 * The message as the libraries take it. Arguments that are no object are put into one, as are those with a key that the
 * libraries drop without a word; `task` goes, which whoever offers no tasks is to pass over, and a library refuses.
 */
export function forLibraries(message: unknown, call: LooseCall | undefined): unknown {
  if (!call?.params) return message;
  const { task, arguments: given, ...params } = call.params;
  const isPlain = given === undefined || (isObject(given) && !Object.hasOwn(given, '__proto__'));
  if (isPlain && task === undefined) return message;
  const passed = isPlain ? given : { [oddKey]: given };
  return { ...Object(message), params: { ...params, ...(passed === undefined ? {} : { arguments: passed }) } };
}

/** The arguments that a library passes on, as they came. */
export function givenArguments(input: unknown): unknown {
  return isObject(input) && Object.hasOwn(input, oddKey) ? input[oddKey] : input;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
