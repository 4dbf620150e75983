import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { merlon, temporaryFolder } from './service.js';

const canKeep = 'enableCompileCache' in module;
let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => rmSync(folder, { recursive: true }));

it('keeps what V8 makes of the modules, where Node.js can', async () => {
  const { code } = await merlon(['--version'], { env: { MERLON_CACHE: folder } });
  expect(code).toBe(0);
  const versions = canKeep ? readdirSync(join(folder, 'code')) : [];
  expect(versions).toHaveLength(canKeep ? 1 : 0);
  for (const version of versions) expect(readdirSync(join(folder, 'code', version)).length).toBeGreaterThan(5);
});

it('begins anew where too much has gathered', async () => {
  const version = join(folder, 'code', 'v0.0.0-x64');
  mkdirSync(version, { recursive: true });
  for (let file = 0; file < 1_001; file++) writeFileSync(join(version, `${file}`), '');
  await merlon(['--version'], { env: { MERLON_CACHE: folder } });
  expect(existsSync(version)).toBe(!canKeep);
});

it('keeps nothing where nothing shall be kept, and works where it cannot', async () => {
  const home = join(folder, 'home');
  const off = await merlon(['--version'], { env: { MERLON_CACHE: 'off', XDG_CACHE_HOME: home } });
  expect([off.code, existsSync(home)]).toEqual([0, false]);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(await merlon(['--version'], { env: { MERLON_CACHE: file } })).toEqual(off);
});
