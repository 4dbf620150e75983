import { Compile } from 'typebox/compile';
import type { RpcId } from './json-rpc.js';
import { type ScanArguments, scanArguments } from './schemas.js';
import { serverInfo, toolName } from './tool.js';
import type { ToolResult } from './wire.js';

/*
 * The common call, `tools/call` of our tool with valid arguments, answered without building a server of the protocol
 * libraries, which costs ten to twenty times the scan. The gate takes only what it knows entirely; everything else,
 * however slightly unusual, goes to the library. What it takes is answered to the byte as the library would:
 * `test/mcp/fast-path.test.ts` compares the two.
 */

/** `handshake`: 2025-11-25 and earlier; `modern`: 2026-07-28. */
type Era = 'handshake' | 'modern';

/** The headers by which MCP requests are routed and checked, by lowercase name; the libraries get no others. */
export const mcpHeaderNames = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'last-event-id',
] as const;
export type McpHeaders = Readonly<Partial<Record<(typeof mcpHeaderNames)[number], string>>>;

/** A call that the gate took. */
export interface FastCall {
  readonly era: Era;
  readonly id: Exclude<RpcId, null>;
  readonly input: ScanArguments;
}

const modernVersion = '2026-07-28';
const handshakeVersions: ReadonlySet<string> = new Set([
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]);
const metaPrefix = 'io.modelcontextprotocol/';
const validArguments = Compile(scanArguments);

/** The call in a message, or undefined where the library must look at it. */
export function recognizeCall(headers: McpHeaders, message: unknown): FastCall | undefined {
  if (headers['content-type'] !== 'application/json' || !isObject(message)) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isId(id) || !isObject(params)) return undefined;
  if (!hasOnly(message, messageKeys) || !hasOnly(params, paramsKeys) || params.name !== toolName) return undefined;
  const era = eraOf(headers, params._meta);
  if (era === undefined) return undefined;
  const input = params.arguments;
  return validArguments.Check(input) ? { era, id, input } : undefined;
}

const messageKeys: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const paramsKeys: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

function eraOf(headers: McpHeaders, meta: unknown): Era | undefined {
  const version = headers['mcp-protocol-version'];
  if (version === modernVersion) {
    const named = headers['mcp-method'] === 'tools/call' && headers['mcp-name'] === toolName;
    return named && isModernMeta(meta) ? 'modern' : undefined;
  }
  if (version !== undefined && !handshakeVersions.has(version)) return undefined;
  const { accept } = headers;
  if (!accept?.includes('application/json') || !accept.includes('text/event-stream')) return undefined;
  return meta === undefined || (isObject(meta) && hasPlainMeta(meta, noKeys)) ? 'handshake' : undefined;
}

const noKeys: ReadonlySet<string> = new Set();
const modernKeys: ReadonlySet<string> = new Set([
  `${metaPrefix}protocolVersion`,
  `${metaPrefix}clientCapabilities`,
  `${metaPrefix}clientInfo`,
]);

function isModernMeta(meta: unknown): boolean {
  if (!isObject(meta) || !hasPlainMeta(meta, modernKeys)) return false;
  if (meta[`${metaPrefix}protocolVersion`] !== modernVersion) return false;
  const capabilities = meta[`${metaPrefix}clientCapabilities`];
  const client = meta[`${metaPrefix}clientInfo`];
  return arePlainCapabilities(capabilities) && (client === undefined || isPlainClient(client));
}

const capabilityKeys: ReadonlySet<string> = new Set(['elicitation', 'roots', 'sampling']);

function arePlainCapabilities(capabilities: unknown): boolean {
  if (!isObject(capabilities) || !hasOnly(capabilities, capabilityKeys)) return false;
  return Object.values(capabilities).every((capability) => isObject(capability) && hasOnly(capability, noKeys));
}

const clientKeys: ReadonlySet<string> = new Set(['name', 'version']);

function isPlainClient(client: unknown): boolean {
  if (!isObject(client) || !hasOnly(client, clientKeys)) return false;
  return typeof client.name === 'string' && typeof client.version === 'string';
}

/**
 * `<prefix>/<name>`, as the specification wants keys of a client's own: Claude Code sends `claudecode/toolUseId` with
 * each call. No server may give them a meaning, unless a part of the prefix is reserved for the protocol.
 */
const ownKey = /^(?!(?:[^/]*\.)?(?:modelcontextprotocol|mcp)[./])[a-z][a-z\d.-]*\/[a-z][\w.-]*$/i;

/** Only a progress token, the given keys, and keys of the client's own. */
function hasPlainMeta(meta: Record<string, unknown>, keys: ReadonlySet<string>): boolean {
  return Object.keys(meta).every(
    (key) => keys.has(key) || (key === 'progressToken' ? isId(meta.progressToken) : ownKey.test(key)),
  );
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(value: object, keys: ReadonlySet<string>): boolean {
  for (const key of Object.keys(value)) if (!keys.has(key)) return false;
  return true;
}

const modernEnding = JSON.stringify({ resultType: 'complete', _meta: { [`${metaPrefix}serverInfo`]: serverInfo } });

/** The body of the answer. The structured content is already there as text, and is not made a second time. */
export function fastBody({ era, id }: FastCall, { content: [{ text }], isError }: ToolResult): string {
  const quoted = `"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
  const rest = isError === true ? ',"isError":true' : `,"structuredContent":${text}`;
  const ending = era === 'modern' ? `,${modernEnding.slice(1)}` : '}';
  return `{"result":{${quoted}${rest}${ending},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
