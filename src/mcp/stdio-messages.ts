import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { parseJsonBody } from '../api/json-body.js';
import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import { type RpcId, rpcCodes, rpcIdOf } from './json-rpc.js';
import { forLibraries, looseCallIn, missingName } from './loose-call.js';

/** Why a line is not passed on; `id` is its own where it can be told. */
interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly id: RpcId;
}

/**
 * The messages of an input, a line each, as the library can read them, whose `parse` throws for others. It drops those
 * without a word, and a client waits for ever; here they are answered with an error, as JSON-RPC 2.0 asks for. `refused` is
 * told of each. Memory: one line of at most `limits.stdioMessageBytesMax` bytes; a longer one is answered like the others
 * and passed over.
 */
export async function* stdioMessages(
  input: Readable,
  output: Writable,
  { parse, refused }: { readonly parse: (message: unknown) => unknown; readonly refused: () => void },
): AsyncGenerator<Buffer> {
  for await (const line of linesOf(input)) {
    const read = line === undefined ? tooLong : readLine(line, parse);
    if (read === undefined) continue;
    if (Buffer.isBuffer(read)) {
      yield read;
      continue;
    }
    refused();
    const { id, ...error } = read;
    if (!output.write(`${JSON.stringify({ jsonrpc: '2.0', error, id })}\n`)) await once(output, 'drain');
  }
}

const tooLong: Refusal = {
  code: rpcCodes.invalidRequest,
  message: `A message has at most ${limits.stdioMessageBytesMax} bytes.`,
  id: null,
};

/**
 * As strict as over HTTP, or a client would see another text than the guard. Undefined for a line with nothing in it. A byte
 * order mark, as some shells write it, is passed over.
 */
function readLine(line: Buffer, parse: (message: unknown) => unknown): Buffer | Refusal | undefined {
  let message: unknown;
  try {
    message = parseJsonBody(line);
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    return line.toString().trim() === '' ? undefined : { code: rpcCodes.parseError, message: error.message, id: null };
  }
  if (Array.isArray(message)) {
    return { code: rpcCodes.invalidRequest, message: 'A line must be one message, not a batch.', id: null };
  }
  const call = looseCallIn(message);
  const missing = call && missingName(call);
  if (missing !== undefined) return { code: rpcCodes.invalidParams, message: missing, id: rpcIdOf(message) };
  const passed = forLibraries(message, call);
  try {
    parse(passed);
  } catch {
    return { code: rpcCodes.invalidRequest, message: 'The line is no message of JSON-RPC 2.0.', id: rpcIdOf(message) };
  }
  return Buffer.from(`${JSON.stringify(passed)}\n`);
}

/** Lines without their ends; undefined for one that is too long. */
async function* linesOf(input: Readable): AsyncGenerator<Buffer | undefined> {
  let pending: Buffer[] = [];
  let bytes = 0;
  const take = (last: Buffer): Buffer | undefined => {
    const line = bytes + last.length > limits.stdioMessageBytesMax ? undefined : Buffer.concat([...pending, last]);
    pending = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of input) {
    const block = Buffer.from(chunk);
    let from = 0;
    for (let at = block.indexOf(0x0a); at >= 0; at = block.indexOf(0x0a, from)) {
      yield take(block.subarray(from, at));
      from = at + 1;
    }
    const rest = block.subarray(from);
    bytes += rest.length;
    if (bytes > limits.stdioMessageBytesMax) pending = [];
    else if (rest.length > 0) pending.push(rest);
  }
  if (bytes > 0) yield take(Buffer.alloc(0));
}
