import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { cacheFolder } from '../src/cache-folder.js';
import { ConfigError, readConfig } from '../src/config.js';

const read = (env: NodeJS.ProcessEnv) => readConfig({}, env);

test('a setting that is there but empty is as good as none', () => {
  const source = readFileSync(new URL('../src/config.ts', import.meta.url), 'utf8');
  const names = new Set(source.match(/\bMERLON_[A-Z_]+/g));
  expect(names.size).toBeGreaterThan(20);
  for (const name of names) expect(read({ [name]: '' }), name).toEqual(read({}));
  expect(readConfig({ host: '', port: '', data: '' }, {})).toEqual(read({}));
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['off', undefined],
  ['1/s', { requests: 1, seconds: 1 }],
  ['100/s', { requests: 100, seconds: 1 }],
  ['6000/min', { requests: 6_000, seconds: 60 }],
  ['100000/h', { requests: 100_000, seconds: 3_600 }],
])('MERLON_RATE_LIMIT=%s', (text, rateLimit) => {
  expect(read({ MERLON_RATE_LIMIT: text }).rateLimit).toEqual(rateLimit);
});

const base = 'http://collector.example:4318';
test.each<[NodeJS.ProcessEnv, object | undefined]>([
  [{}, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_SDK_DISABLED: 'True' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: base }, { url: `${base}/v1/traces`, serviceName: 'merlon', ratio: 0.01 }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `${base}/otlp/` }, { url: `${base}/otlp/v1/traces` }],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${base}/t/`, OTEL_SERVICE_NAME: 'guard' },
    { url: `${base}/t/`, serviceName: 'guard' },
  ],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${base}/t?key=1` }, { url: `${base}/t?key=1` }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: base, MERLON_TRACE_RATIO: '0' }, { ratio: 0 }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: base, MERLON_TRACE_RATIO: '0.5' }, { ratio: 0.5 }],
])('tracing of %o', (env, tracing) => {
  const found = read(env).tracing;
  if (tracing === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(tracing);
});

test.each<[NodeJS.ProcessEnv]>([
  [{ MERLON_RATE_LIMIT: '100' }],
  [{ MERLON_RATE_LIMIT: '0/s' }],
  [{ MERLON_RATE_LIMIT: '10/m' }],
  [{ MERLON_RATE_LIMIT: '-1/s' }],
  [{ MERLON_RATE_LIMIT: '1.5/s' }],
  [{ MERLON_QUEUE_MS: '0' }],
  [{ MERLON_QUEUE_MS: 'soon' }],
  [{ MERLON_TRACE_RATIO: '2', OTEL_EXPORTER_OTLP_ENDPOINT: base }],
  [{ MERLON_TRACE_RATIO: 'all', OTEL_EXPORTER_OTLP_ENDPOINT: base }],
  [{ MERLON_TRACE_RATIO: '2' }],
  [{ MERLON_TRACE_RATIO: 'x' }],
  [{ MERLON_TRACE_RATIO: ' ' }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `${base}?key=1` }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `${base}/#x` }],
  [{ MERLON_PUBLIC_URL: 'https://ada:sesame@merlon.example.org' }],
  [{ MERLON_PUBLIC_URL: 'https://merlon.example.org/?a=1' }],
  [{ MERLON_PUBLIC_URL: 'https://merlon.example.org#a' }],
  [{ MERLON_PUBLIC_URL: 'https://merlon.example.org/merlon' }],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'nowhere' }],
])('%o is refused by the name of the setting', (env) => {
  const [name] = Object.keys(env);
  expect(() => read(env)).toThrow(ConfigError);
  expect(() => read(env)).toThrow(name);
});

const unknownUser = () => {
  throw new Error('A system error occurred: uv_os_homedir returned ENOENT');
};
test.each<[string, NodeJS.ProcessEnv, () => string, string | undefined]>([
  ['in the home of the user', {}, () => '/home/ada', '/home/ada/.cache/merlon'],
  ['where a user of no name has none', {}, unknownUser, '/.cache/merlon'],
  ['and not in the working folder where HOME is empty', {}, () => '', '/.cache/merlon'],
  ['in the cache of the user', { XDG_CACHE_HOME: '/var/cache/ada' }, unknownUser, '/var/cache/ada/merlon'],
  ['where the setting names a folder', { MERLON_CACHE: '/var/cache/merlon' }, unknownUser, '/var/cache/merlon'],
  ['nowhere', { MERLON_CACHE: 'off' }, unknownUser, undefined],
])('compiled rules are kept %s', (_, env, homeOfUser, folder) => {
  expect(cacheFolder(env, homeOfUser)).toBe(folder === undefined ? undefined : resolve(folder));
});
