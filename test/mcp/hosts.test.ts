import { expect, test } from 'vitest';
import { createHostCheck } from '../../src/mcp/hosts.js';

test.each<[string, readonly string[], string | undefined, string | undefined, boolean]>([
  ['127.0.0.1', [], '127.0.0.1:8686', undefined, true],
  ['127.0.0.1', [], 'localhost', 'http://localhost:3000', true],
  ['127.0.0.1', [], 'guard.example', undefined, false],
  ['127.0.0.1', ['guard.example'], 'guard.example', 'https://guard.example', true],
  ['127.0.0.1', [], 'localhost', 'https://guard.example', false],
  ['127.0.0.1', [], 'localhost', 'file://', false],
  ['127.0.0.1', [], 'localhost', '', false],
  ['127.0.0.1', [], undefined, undefined, false],
  ['127.0.0.1', [], '', undefined, false],
  ['127.0.0.1', [], 'localhost:port', undefined, false],
  ['::1', [], '[::1]:8686', undefined, true],
  ['::1', [], 'guard.example', undefined, false],
  ['0.0.0.0', [], 'guard.example', undefined, true],
  ['0.0.0.0', [], 'guard.example:8686', 'http://guard.example', true],
  ['0.0.0.0', [], 'guard.example', 'http://evil.example', false],
  ['0.0.0.0', [], 'guard.example', 'http://localhost', false],
  ['0.0.0.0', ['guard.example'], 'evil.example', undefined, false],
  ['0.0.0.0', ['guard.example'], 'Guard.Example', 'http://GUARD.example:1', true],
  ['0.0.0.0', ['guard.example'], 'localhost:1', undefined, true],
  ['10.0.0.5', ['guard.example'], '10.0.0.5:8686', undefined, true],
  ['10.0.0.5', [], '10.0.0.5:8686', undefined, true],
  ['fd00::1', ['guard.example'], '[fd00::1]:8686', undefined, true],
])('listening on %s, knowing %o: Host %s, Origin %s', (listen, allowed, host, origin, known) => {
  expect(createHostCheck(listen, allowed).foreign(host, origin) === undefined).toBe(known);
});
