import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { merlon, temporaryFolder } from './service.js';

/** Node.js 22 keeps code itself, in a folder for each of its versions. */
const keepsItself = 'enableCompileCache' in module;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  return () => rmSync(folder, { recursive: true });
});

const version = (cache = folder) => merlon(['--version'], { env: { MERLON_CACHE: cache } });
const kept = () => readdirSync(join(folder, 'code')).sort();
const pathOf = (name: string) => join(folder, 'code', name);

it('keeps what V8 makes of the program', async () => {
  expect((await version()).code).toBe(0);
  const [name, ...others] = kept();
  expect(others).toEqual([]);
  expect(statSync(pathOf(name)).isDirectory()).toBe(keepsItself);
  expect(keepsItself || statSync(pathOf(name)).size > 100_000).toBe(true);
});

it('begins anew where too much has gathered', async () => {
  const old = keepsItself ? pathOf('v0.0.0-x64') : join(folder, 'code');
  mkdirSync(old, { recursive: true });
  for (let file = 0; file < (keepsItself ? 1_001 : 40); file++) writeFileSync(join(old, `${file}.code`), '');
  await version();
  expect(keepsItself ? existsSync(old) : kept().length).toBe(keepsItself ? false : 24);
});

it('keeps nothing where nothing shall be kept, and works where it cannot', async () => {
  const home = join(folder, 'home');
  const off = await merlon(['--version'], { env: { MERLON_CACHE: 'off', XDG_CACHE_HOME: home } });
  expect([off.code, existsSync(home)]).toEqual([0, false]);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(await version(file)).toEqual(off);
});

describe.runIf(!keepsItself)('on Node.js 20', () => {
  it('takes what is kept, and writes it once', async () => {
    await version();
    const before = kept().map((name) => statSync(pathOf(name)).mtimeMs);
    expect(await version()).toMatchObject({ code: 0 });
    expect(kept().map((name) => statSync(pathOf(name)).mtimeMs)).toEqual(before);
  });

  it('keeps the code of each command, for each set of options that V8 has', async () => {
    const env = { MERLON_CACHE: folder };
    await merlon(['--version'], { env });
    await merlon(['scan', '--help'], { env });
    await merlon(['scan', '--help'], { env: { ...env, NODE_OPTIONS: '--max-semi-space-size=4' } });
    expect(kept()).toHaveLength(3);
  });

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['changed', (bytes: Buffer) => bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 1_000)],
  ])('passes over what is %s, and mends it', async (_, damage) => {
    await version();
    const [name] = kept();
    const damaged = damage(readFileSync(pathOf(name)));
    writeFileSync(pathOf(name), damaged);
    expect(await version()).toMatchObject({ code: 0 });
    expect(readFileSync(pathOf(name)).equals(damaged)).toBe(false);
  });

  it('keeps nothing of a command that was given in error', async () => {
    expect(await merlon(['nothing'], { env: { MERLON_CACHE: folder } })).toMatchObject({ code: 2 });
    expect(existsSync(join(folder, 'code'))).toBe(false);
  });
});
