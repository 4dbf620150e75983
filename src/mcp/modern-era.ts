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

/** The library's own verdict on the era, so that routing can never differ from what its handler then says. */
export function isHandshakeEra(request: Request, message: unknown): Promise<boolean> {
  return isLegacyRequest(request, message);
}

/**
 * Answers a request of 2026-07-28, and everything that claims to be of neither era. One handler a request: closing it
 * ends what it began. That matters for `subscriptions/listen` alone: nothing here ever changes, so its stream is
 * acknowledged and brought to its proper end at once, where it would hold a connection open for nothing.
 */
export async function answerModernEra(request: Request, message: unknown, runTool: RunTool): Promise<Response> {
  const handler = createMcpHandler(() => modernServer(runTool), { legacy: 'reject' });
  const response = await handler.fetch(request, { parsedBody: message });
  await handler.close();
  return response;
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
