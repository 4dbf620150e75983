import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { instructions, serverInfo, toolDefinition, toolName } from './tool.js';
import type { RunTool } from './wire.js';

/**
 * Answers a request of 2025-11-25 or earlier. Stateless: a server and a transport for each request, no session, JSON
 * instead of an event stream. The low-level `Server` takes our schemas as they are; `McpServer` would want zod.
 */
export async function answerHandshakeEra(request: Request, message: unknown, runTool: RunTool): Promise<Response> {
  const server = new Server(serverInfo, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [toolDefinition] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    // The library's own error would put the code before the words a second time.
    if (params.name !== toolName) {
      throw Object.assign(new Error(`Unknown tool; there is ${toolName}`), { code: ErrorCode.InvalidParams });
    }
    const { content, ...rest } = await runTool(params.arguments);
    return { content: [...content], ...rest };
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}
