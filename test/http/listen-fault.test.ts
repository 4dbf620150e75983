import { Server } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { findListenFault } from '../../src/http/listen-fault.js';

afterEach(() => vi.restoreAllMocks());

test.each([
  ['EADDRINUSE', /^the port is in use by another process$/],
  ['EACCES', /^this user may not use that port/],
  ['EADDRNOTAVAIL', /^the address is not one of this machine$/],
  ['ENOTFOUND', /^the name has no address$/],
  ['EMFILE', /^EMFILE$/],
])('%s in words', async (code, reason) => {
  // What the system answers depends on the machine, and on who asks.
  vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    queueMicrotask(() => this.emit('error', Object.assign(new Error('refused'), { code })));
    return this;
  });
  expect(await findListenFault('127.0.0.1', 80)).toMatch(reason);
});

test('a port that Node can listen on is no fault that anybody knows, and is free again', async () => {
  for (const _ of [1, 2]) expect(await findListenFault('127.0.0.1', 0)).toBe('it was refused, for no known reason');
});
