import { describe, expect, it } from 'vitest';
import { GuardError } from '../src/domain/errors.js';
import type { Generation } from '../src/generation.js';
import { createGenerations } from '../src/reload.js';
import type { CompiledRules } from '../src/rules/load.js';
import { createLogger } from '../src/telemetry/log.js';
import { programOf } from './engine/program-of.js';

const program = programOf([{ phrase: 'some words' }]);
const rules: CompiledRules = { program, profiles: [] };

/** As much of a generation as a reload touches. */
function generation(number: number): Generation {
  const overlays = { takeOver: async () => {}, opened: () => [] };
  const part = { number, rules, overlays, running: () => 0 };
  return part as unknown as Generation;
}

describe('a reload', () => {
  it('that fails after it compiled is logged, and its number is not given again', async () => {
    const logged: string[] = [];
    const published: number[] = [];
    const generations = createGenerations({
      first: generation(0),
      create: generation,
      compiler: { load: async () => ({ program: program.memory, profiles: [] }) },
      publish: async ({ number }) => {
        published.push(number);
        if (published.length === 1) throw new Error('a thread is gone');
      },
      log: createLogger({ level: 'info', destination: { write: (line) => logged.push(line) } }),
    });
    await expect(generations.reload()).rejects.toThrow('a thread is gone');
    expect(generations.current.number).toBe(0);
    expect(logged.filter((line) => line.includes('the rules were not reloaded'))).toHaveLength(1);
    await generations.reload();
    expect(generations.current.number).toBe(2);
    expect(published).toEqual([1, 2]);
  });

  it('that took too long is logged with its code', async () => {
    const logged: string[] = [];
    const generations = createGenerations({
      first: generation(0),
      create: generation,
      compiler: { load: async () => Promise.reject(new GuardError('deadline', 'Too long.')) },
      log: createLogger({ level: 'info', destination: { write: (line) => logged.push(line) } }),
    });
    await expect(generations.reload()).rejects.toThrow('Too long.');
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'the rules were not reloaded', code: 'deadline' },
    ]);
  });
});
