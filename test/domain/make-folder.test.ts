import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/domain/make-folder.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'merlon-folders-'));
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(folder, join(folder, 'link'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('makeFolder', () => {
  it.each(['.', 'a', 'b/c/d', 'link/e/f', 'a/../g/h/'])('makes %s, and all above it, once and again', (name) => {
    for (let times = 0; times < 2; times++) makeFolder(join(folder, name), 0o700);
    const stat = statSync(join(folder, name));
    expect([stat.isDirectory(), stat.mode & 0o777]).toEqual([true, 0o700]);
  });

  it.each([
    ['file', 'EEXIST'],
    ['file/a', 'ENOTDIR'],
    ['dangling', 'EEXIST'],
    ['../../../../../../../../proc/x/y', 'ENOENT'],
  ])('says of %s what the system does', (name, code) => {
    expect(() => makeFolder(join(folder, name))).toThrow(expect.objectContaining({ code }));
  });
});
