import type { McpHeaders } from '../../src/mcp/fast-path.js';

/** Requests as clients of the two eras send them, for tests to alter. */

const prefix = 'io.modelcontextprotocol/';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const handshakeHeaders = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': '2025-11-25',
} satisfies McpHeaders;

export const modernMeta = {
  [`${prefix}protocolVersion`]: '2026-07-28',
  [`${prefix}clientCapabilities`]: {},
  [`${prefix}clientInfo`]: { name: 'test', version: '1' },
};

/** A request of one era with its headers. */
export interface Sent {
  readonly headers: McpHeaders;
  readonly message: Json;
}

export function handshake(method: string, params?: Json, id: Json = 1): Sent {
  return {
    headers: handshakeHeaders,
    message: { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) },
  };
}

export function modern(method: string, params: { readonly [key: string]: Json } = {}, id: Json = 1): Sent {
  const { name } = params;
  return {
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    message: { jsonrpc: '2.0', id, method, params: { _meta: modernMeta, ...params } },
  };
}

/** A call of the tool with these arguments. */
export function calls(input: Json, id: Json = 1): { readonly handshake: Sent; readonly modern: Sent } {
  const params = { name: 'scan_with_guard', arguments: input };
  return { handshake: handshake('tools/call', params, id), modern: modern('tools/call', params, id) };
}

export function text(content: string, more: { readonly [key: string]: Json } = {}): Json {
  return { messages: [{ role: 'user', content }], ...more };
}
