import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { merlon, removeService, startTestService, type TestService, temporaryFolder } from './service.js';

const open: TestService[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(removeService));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that holds nothing but what is about to be copied into it. */
function folderFor(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
}

async function total(service: TestService): Promise<number> {
  const answer = (await (await service.fetch('/api/v1/guard/results')).json()) as { meta: { total: number } };
  return answer.meta.total;
}

describe('merlon backup', () => {
  it('copies what is committed while the service takes more, and the copy starts as the service did', async () => {
    const service = await startTestService({ MERLON_DURABILITY: 'committed' });
    open.push(service);
    const scan = () => service.scan({ messages: [{ role: 'user', content: 'Good morning.' }] });
    for (let i = 0; i < 50; i++) expect((await scan()).status).toBe(200);
    const before = await total(service);
    let scans = 0;
    let isCopied = false;
    const load = (async () => {
      while (!isCopied) {
        expect((await scan()).status).toBe(200);
        scans++;
      }
    })();
    const target = join(folderFor(), 'copy');
    const copied = await merlon(['backup', target, '--data', service.dataFolder, '--json']);
    isCopied = true;
    await load;
    expect(copied).toMatchObject({ code: 0, stderr: '' });
    const { size, mode } = statSync(join(target, 'data.mdb'));
    expect(JSON.parse(copied.stdout)).toEqual({ folder: target, bytes: size });
    expect(mode & 0o777).toBe(0o600);
    expect(statSync(target).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(target, '..'))).toEqual(['copy']);

    const restored = await startTestService({ MERLON_BOOTSTRAP_TOKEN: service.token }, target);
    open.push(restored);
    const kept = await total(restored);
    expect(kept).toBeGreaterThanOrEqual(before);
    expect(kept).toBeLessThanOrEqual(before + scans);
    expect(await total(service)).toBe(before + scans);
    expect((await restored.scan({ messages: [{ role: 'user', content: 'Good evening.' }] })).status).toBe(200);
    expect(await total(restored)).toBe(kept + 1);
  });

  it('fills an empty folder, and refuses one with something in it, a file, and data that are not there', async () => {
    const service = await startTestService();
    open.push(service);
    await service.stop();
    const data = ['--data', service.dataFolder];
    const empty = folderFor();
    const filled = await merlon(['backup', empty, ...data]);
    expect(filled).toMatchObject({ code: 0, stdout: '' });
    expect(filled.stderr).toContain(`copied to ${empty}; \`merlon serve --data ${empty}\` starts from it`);
    expect(readdirSync(empty)).toEqual(['data.mdb']);

    const awkward = join(folderFor(), "Ada's copy $HOME");
    const [, command = ''] = /`merlon (.*)` starts/.exec((await merlon(['backup', awkward, ...data])).stderr) ?? [];
    const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s\\n' ${command}`]);
    expect(stdout.split('\n'), 'as a shell reads it').toEqual(['serve', '--data', awkward, '']);

    const small = folderFor();
    const failed = await merlon(['backup', small, ...data], { fileBytesMax: 65_536 });
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringMatching(/^The data cannot be copied to /m) });
    expect(readdirSync(small), 'a disk that was too small').toEqual([]);

    const place = folderFor();
    writeFileSync(join(place, 'a'), '');
    mkdirSync(join(place, 'nothing'));
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [[empty, ...data], /^DIR: .* is no empty folder\n$/],
      [[join(place, 'a'), ...data], /^DIR: /],
      [[join(place, 'a', 'b'), ...data], /cannot be copied to .*(?:ENOTDIR|not a directory)/],
      [[join(place, 'no', 'copy'), ...data], /cannot be copied to .*ENOENT/],
      [[join(place, 'copy'), '--data', join(place, 'none')], /^--data: there is no folder/],
      [[join(place, 'copy'), '--data', join(place, 'nothing')], /^--data: there are no data in .*`merlon serve`/],
    ];
    for (const [args, said] of refusals) {
      const refused = await merlon(['backup', ...args]);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toMatch(said);
    }
    expect(existsSync(join(place, 'copy'))).toBe(false);
    expect(readdirSync(place).sort()).toEqual(['a', 'nothing']);
    expect(readdirSync(join(place, 'nothing'))).toEqual([]);
  });
});
