import { Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { problemType } from '../api/problem.js';
import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import { describeError, type Logger } from '../telemetry/log.js';
import { inPlainWords } from './json-rpc.js';
import { givenArguments } from './loose-call.js';
import { modernServer } from './modern-era.js';
import { callTool, type ToolCall, type ToolContext } from './scan-call.js';
import { stdioMessages } from './stdio-messages.js';
import type { RunTool } from './wire.js';

/** The tool, which calls wait for: all else is answered before its rules are there. */
export interface StdioTool {
  readonly log: Logger;
  open(): Promise<{ readonly context: ToolContext; nextCall(): ToolCall }>;
}

/**
 * Serves the tool over a pair of streams until the input ends; both eras, as the client opens. Calls that are running
 * when the input ends are still answered: a client may send what it wants to know and close its side.
 */
export async function serveOverStdio({ log, open }: StdioTool, input: Readable, output: Writable): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const runTool: RunTool = (input) => {
    const answer = run(open, givenArguments(input)).finally(() => running.delete(answer));
    running.add(answer);
    return answer;
  };
  const messages = stdioMessages(input, output, {
    parse: parseJSONRPCMessage,
    refused: () => log.warn('an MCP message cannot be used'),
  });
  const heard = Readable.from(untilAnswered(messages, running), { objectMode: false });
  // It gets line by line; the limit is kept before.
  const transport = new PlainTransport(heard, output, { maxBufferSize: 2 * limits.stdioMessageBytesMax });
  const connection = serveStdio(() => modernServer(runTool), {
    transport,
    // The library's own words may quote what was sent.
    onerror: (error) => log.warn('MCP connection trouble', { error: describeError(error) }),
  });
  await finished(heard).catch((error: unknown) => {
    log.warn('MCP connection trouble', { error: describeError(error) });
  });
  await connection.close();
}

class PlainTransport extends StdioServerTransport {
  override send(message: JSONRPCMessage): Promise<void> {
    return super.send(inPlainWords(message));
  }
}

/** The library drops calls that still run when its input ends, so the end is held back until they are answered. */
async function* untilAnswered(
  messages: AsyncIterable<Buffer>,
  running: ReadonlySet<Promise<unknown>>,
): AsyncGenerator<Buffer> {
  yield* messages;
  do {
    await Promise.allSettled(running);
    // What was read last becomes a call, and a result becomes an answer, in the turn of the loop that follows.
    await nextTurn();
    await nextTurn();
  } while (running.size > 0);
}

/** The library tells a client the message of anything that is thrown, so only what is meant for it may be. */
async function run(open: StdioTool['open'], input: unknown) {
  try {
    const { context, nextCall } = await open();
    const { result } = await callTool(context, nextCall(), input);
    return result;
  } catch (error) {
    if (error instanceof GuardError) {
      throw new ProtocolError(error.status, error.message, { type: problemType(error.code) });
    }
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'An internal error occurred.');
  }
}
