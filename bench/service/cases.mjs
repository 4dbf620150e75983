/*
 * What `merlon bench service` measures, as data. A group has one body and one number of connections; the bare
 * uWebSockets.js echo of the same body runs before and after each of its cases. To add a case, add a row.
 */

/**
 * Requests of one kind, sent in turn: `bytes` of text in one message, of English and other ASCII texts, or of all of some
 * thirty languages (`foreign`), which cost more than what most services see. `flagged` is the verdict that they must have; in a
 * megabyte of chat something is always found, so any will do there. The last message of each request is one that was never
 * sent before; `before` it stand as many others, each of `bytes`, the same in every request of one conversation.
 */
export const kinds = {
  '500 B': { bytes: 500, count: 64, flagged: false },
  '500 B in many languages': { bytes: 500, count: 64, flagged: false, foreign: true },
  '500 B flagged': { bytes: 500, count: 64, flagged: true },
  'conversation of 16': { bytes: 500, count: 32, before: 15, flagged: false },
  '8 KB': { bytes: 8_192, count: 32, flagged: false },
  '8 KB flagged': { bytes: 8_192, count: 32, flagged: true },
  '1 MB': { bytes: 1_048_576, count: 4 },
  '500 B MCP': { bytes: 500, count: 64, flagged: false, mcp: true },
};

/**
 * Who answers. `server` is one of `servers.mjs`; all others are `merlon serve` with `environment`. One that needs a
 * setting which this build does not have is left out.
 * @type {Readonly<Record<string, { server?: string, rival?: string, isMerlon?: boolean, environment?: Readonly<Record<string, string>> }>>}
 */
export const subjects = {
  bare: { server: 'uws' },
  'node:http echo': { server: 'node' },
  'Fastify echo': { server: 'fastify', rival: 'fastify' },
  'scan only': { server: 'scan' },
  '+ auth': { server: 'unrecorded', isMerlon: true },
  full: { isMerlon: true },
  'full, committed': { isMerlon: true, environment: { MERLON_DURABILITY: 'committed' } },
  'full, flushed': { isMerlon: true, environment: { MERLON_DURABILITY: 'flushed' } },
  'full, nothing remembered': { isMerlon: true, environment: { MERLON_REMEMBERED_MESSAGES: '0' } },
  'full, 2 threads': { isMerlon: true, environment: { MERLON_THREADS: '2' } },
  'inline only': { isMerlon: true, environment: { MERLON_INLINE_UNITS_MAX: '1048576', MERLON_QUEUE_MS: '60000' } },
};

/**
 * Closed loop. `times` makes the samples of a group so many times longer, where the body is large. A case is a subject, or a
 * subject with requests of another kind.
 */
export const groups = [
  { kind: '500 B', connections: 1, cases: ['node:http echo', 'Fastify echo', 'full', 'full, committed'] },
  {
    kind: '500 B',
    connections: 32,
    cases: [
      'node:http echo',
      'Fastify echo',
      'scan only',
      '+ auth',
      'full',
      'full, committed',
      'full, flushed',
      'full, 2 threads',
      { subject: 'full', kind: '500 B in many languages' },
      { subject: 'full', kind: '500 B flagged' },
      { subject: 'full', kind: '500 B MCP' },
    ],
  },
  {
    kind: '500 B',
    connections: 256,
    cases: ['node:http echo', 'Fastify echo', 'full', 'full, committed', 'full, flushed', 'full, 2 threads'],
  },
  { kind: 'conversation of 16', connections: 32, cases: ['Fastify echo', 'full', 'full, nothing remembered'] },
  { kind: '8 KB', connections: 1, cases: ['full'] },
  {
    kind: '8 KB',
    connections: 32,
    cases: [
      'Fastify echo',
      'scan only',
      'full',
      'full, committed',
      'full, 2 threads',
      { subject: 'full', kind: '8 KB flagged' },
    ],
  },
  { kind: '8 KB', connections: 256, cases: ['full'] },
  { kind: '1 MB', connections: 1, times: 2, cases: ['full'] },
  { kind: '1 MB', connections: 32, times: 3, cases: ['full', 'full, 2 threads'] },
  { kind: '1 MB', connections: 256, times: 6, cases: ['full'] },
];

/** Small requests at a fixed rate, alone and beside large ones. */
export const mixed = {
  name: 'mixed',
  small: { kind: '500 B', connections: 64, rate: 500 },
  large: { kind: '1 MB', connections: 64, rate: 20 },
  rows: [
    { name: 'small alone', subject: 'full' },
    { name: 'small beside 20 × 1 MB/s', subject: 'full', large: true },
    { name: 'small beside 20 × 1 MB/s, inline only', subject: 'inline only', large: true },
  ],
};

/** Arrivals at a share of the capacity that a closed loop found. Beyond capacity, what finds no connection is dropped. */
export const overload = {
  subject: 'full',
  kinds: ['8 KB', '500 B'],
  capacityConnections: 32,
  rows: [
    { name: 'at 80 %', share: 0.8, connections: 256, patient: true },
    { name: 'at 10 times', share: 10, connections: 1_000, patient: false },
  ],
};

export function groupName({ kind, connections }) {
  return `${kind}, ${connections === 1 ? '1 connection' : `${connections} connections`}`;
}

export function overloadName(kind) {
  return `overload, ${kind}`;
}

/** True where `only` leaves something to measure. */
export function isAnyNamed(only = '') {
  const names = [...groups.map(groupName), mixed.name, ...overload.kinds.map(overloadName)];
  return names.some((name) => name.includes(only));
}
