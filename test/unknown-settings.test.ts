import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { settingNames, unknownSettings } from '../src/unknown-settings.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const namesIn = (text: string) => text.match(/\bMERLON_[A-Z_]+\b/g) ?? [];

test('what the program asks the environment for is known, and in the README', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const asked = files
    .filter((file) => file !== 'unknown-settings.ts')
    .flatMap((file) => namesIn(readFileSync(join(root, 'src', file), 'utf8')));
  expect(new Set(asked)).toEqual(new Set(settingNames));
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| `(MERLON_[A-Z_]+)` \|/gm)].map(([, name]) => name);
  // One is in two tables.
  expect([...new Set(rows)]).toEqual(settingNames);
});

test.each([
  ['MERLON_PROT', 'MERLON_PORT'],
  ['MERLON_LOGLEVEL', 'MERLON_LOG_LEVEL'],
  ['MERLON_THREAD', 'MERLON_THREADS'],
  ['MERLON_RULE', 'MERLON_RULES'],
  ['MERLON_RETENTION', 'MERLON_RETENTION_DAYS'],
  ['MERLON_DATA_FOLDER', 'MERLON_DATA'],
])('%s may be meant for %s', (name, meant) => {
  expect(unknownSettings({ [name]: '1', PATH: '/bin' })).toEqual([`${name} (${meant}?)`]);
});

test('a name that is close to none is told alone', () => {
  expect(unknownSettings({ MERLON_VERBOSE: '1', MERLON_COLOUR: '1' })).toEqual(['MERLON_COLOUR', 'MERLON_VERBOSE']);
});

test('settings, what orchestrators add and names of others are passed over', () => {
  const names = [
    'MERLON_SERVICE_HOST',
    'MERLON_SERVICE_PORT',
    'MERLON_SERVICE_PORT_HTTP',
    'MERLON_PORT_8686_TCP',
    'MERLON_PORT_8686_TCP_ADDR',
    'MERLON_GUARD_SERVICE_HOST',
    'MERLON_GUARD_PORT',
    'MERLON_GUARD_PORT_8686_TCP_PROTO',
    'MERLONS_PROT',
    ...settingNames,
  ];
  expect(unknownSettings(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([]);
});
