import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shippedRulesFolder } from '../../src/config.js';
import type { CustomRules } from '../../src/domain/custom-rules.js';
import { allRoles } from '../../src/engine/program.js';
import { decodeProgram } from '../../src/engine/program-layout.js';
import { createScanner } from '../../src/engine/scanner.js';
import { createRulesCompiler, type RulesCompiler, type RulesCompilerOptions } from '../../src/pool/rules-compiler.js';
import { damages } from '../rules/damages.js';

const workerFile = new URL('../../dist/pool/compile-worker.js', import.meta.url);
let folder: string;
const compilers: RulesCompiler[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'merlon-rules-'));
});
afterEach(async () => {
  await Promise.all(compilers.splice(0).map((compiler) => compiler.close()));
  rmSync(folder, { recursive: true });
});

function create(options: Partial<RulesCompilerOptions> = {}): RulesCompiler {
  const cache = { folder, compilerId: 'build 1' };
  const compiler = createRulesCompiler({
    shippedIds: ['LLM01-0001'],
    rulesFolder: shippedRulesFolder,
    cache,
    workerFile,
    ...options,
  });
  compilers.push(compiler);
  return compiler;
}

const rulesOf = (phrase: string): CustomRules => ({
  rules: [{ id: 'ORG-0001', policy: 'LLM02', patterns: [{ phrase }] }],
  allow: [{ phrase: 'my words', rules: ['LLM01-0001'] }],
});
/** Spellings of some patterns, in rules of a hundred. */
const spellings = (rules: number): CustomRules => ({
  rules: Array.from({ length: rules }, (_, rule) => ({
    id: `ORG-${String(rule).padStart(4, '0')}`,
    policy: 'LLM02' as const,
    patterns: Array.from({ length: 100 }, (_, place) => ({ phrase: `(a|b|c|d|e|f) (u|v|w|x|y|z) n${rule} ${place}` })),
  })),
  allow: [],
});
/** Slow to compile, and within every limit. */
const slow = spellings(5);

function finds(memory: WebAssembly.Memory | undefined, text: string): boolean {
  if (!memory) return false;
  const program = decodeProgram(memory);
  return createScanner(program).match(text, allRoles, new Uint8Array(program.rules.length).fill(1)).list.length > 0;
}

describe('the compiler of rules of organizations', () => {
  it('gives a program in shared memory, or the problems', async () => {
    const compiler = create();
    const { report, program } = await compiler.check(rulesOf('project falcon'));
    expect(report).toMatchObject({ diagnostics: [], patterns: 2 });
    expect(program?.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(finds(program, 'Project falcon')).toBe(true);
    const broken = await compiler.check(rulesOf('project (falcon'));
    expect(broken.program).toBeUndefined();
    expect(broken.report.diagnostics).toMatchObject([{ code: 'E201', pointer: '/rules/0/patterns/0/phrase' }]);
  });

  it('opens what was compiled before from disk', async () => {
    await create().check(rulesOf('project falcon'));
    const [file] = readdirSync(folder);
    const written = statSync(join(folder, file)).mtimeMs;
    expect(finds(await create().open(rulesOf('project falcon')), 'project falcon')).toBe(true);
    expect(readdirSync(folder)).toEqual([file]);
    expect(statSync(join(folder, file)).mtimeMs, 'it was not written again').toBe(written);
  });

  it.each(damages)('compiles anew where the file is %s', async (_, damage) => {
    await create().check(rulesOf('project falcon'));
    const file = join(folder, readdirSync(folder)[0]);
    const sound = readFileSync(file);
    writeFileSync(file, damage(Buffer.from(sound)));
    expect(finds(await create().open(rulesOf('project falcon')), 'project falcon')).toBe(true);
    expect(readFileSync(file).equals(sound), 'and mends the file').toBe(true);
  });

  it('does without a cache, and opens what names a rule that has gone', async () => {
    const compiler = create({ cache: undefined, shippedIds: [] });
    expect(finds(await compiler.open(rulesOf('project falcon')), 'project falcon')).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
    expect((await compiler.check(rulesOf('project falcon'))).report.diagnostics).toMatchObject([{ code: 'E207' }]);
  });

  it('gives up what takes too long, and goes on with the next', async () => {
    await expect(create({ deadlineMs: 1 }).check(slow)).rejects.toMatchObject({ code: 'deadline', status: 503 });
    const compiler = create({ cache: undefined });
    expect((await compiler.check(slow)).report.diagnostics).toEqual([]);
  });

  it('says so when it runs out of memory', async () => {
    const compiler = create({ resourceLimits: { maxOldGenerationSizeMb: 20 } });
    await expect(compiler.check(spellings(50))).rejects.toMatchObject({
      code: 'worker_lost',
      message: expect.stringMatching(/more memory .* shorten/),
    });
  });

  it('refuses at once when too many wait', async () => {
    const compiler = create({ queueMax: 2 });
    const asked = Array.from({ length: 3 }, () => compiler.check(rulesOf('project falcon')));
    const [first, second, third] = await Promise.allSettled(asked);
    expect([first.status, second.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(third).toMatchObject({ status: 'rejected', reason: { code: 'overloaded' } });
  });

  it('refuses after close', async () => {
    const compiler = create();
    await compiler.close();
    await expect(compiler.check(slow)).rejects.toMatchObject({ code: 'draining' });
  });
});
