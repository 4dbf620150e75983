import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { instructions, serverInfo, toolDefinition, toolName } from './tool.js';
import type { RunTool } from './wire.js';

/** How long clients may keep the list of tools: it changes with the program only. */
const toolsTtlMs = 60 * 60 * 1_000;

/** Calls by the request that they came with: the handler hands its factory nothing else of ours. */
const callsInFlight = new WeakMap<Request, RunTool>();

const handler = createMcpHandler(
  ({ requestInfo }) => {
    const runTool = requestInfo && callsInFlight.get(requestInfo);
    if (!runTool) throw new Error('a request came to the MCP handler by another way');
    return modernServer(runTool);
  },
  // Nothing here ever changes, so a subscription would only hold a connection open.
  { legacy: 'reject', responseMode: 'auto', maxSubscriptions: 0 },
);

/** The library's own verdict on the era, so that routing can never differ from what its handler then says. */
export function isHandshakeEra(request: Request, message: unknown): Promise<boolean> {
  return isLegacyRequest(request, message);
}

/** Answers a request of 2026-07-28, and everything that claims to be of neither era. */
export async function answerModernEra(request: Request, message: unknown, runTool: RunTool): Promise<Response> {
  callsInFlight.set(request, runTool);
  return await handler.fetch(request, { parsedBody: message });
}

/** The server with our one tool. It serves both eras where the library negotiates them, as over standard input. */
export function modernServer(runTool: RunTool): Server {
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    instructions,
    cacheHints: { 'tools/list': { ttlMs: toolsTtlMs, cacheScope: 'public' } },
  });
  server.setRequestHandler('tools/list', () => ({ tools: [toolDefinition] }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    if (params.name !== toolName) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool; there is ${toolName}`);
    }
    const { content, ...rest } = await runTool(params.arguments);
    return { content: [...content], ...rest };
  });
  return server;
}
