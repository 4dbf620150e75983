import { describe, expect, test, vi } from 'vitest';
import { startFrontThreads } from '../../src/front/front-threads.js';
import type { FrontData } from '../../src/front/protocol.js';

const workerFile = new URL('./thread.mjs', import.meta.url);

function start(behaviour: string) {
  const lost = vi.fn();
  const descriptors: number[] = [];
  const unused = () => Promise.reject(new Error('nobody asks for this'));
  const threads = startFrontThreads({
    count: 2,
    data: { config: behaviour } as unknown as FrontData,
    answers: { request: unused, run: unused, open: unused, append: unused, touch: unused },
    ready: (descriptor) => descriptors.push(descriptor),
    lost,
    unexpected: () => undefined,
    workerFile,
  });
  return { threads, lost, descriptors };
}

describe('threads of the front end', () => {
  test('are ready together, answer together, and end together', async () => {
    const { threads, lost, descriptors } = start('answers');
    const both = await threads;
    expect(descriptors).toEqual([7, 7]);
    expect(await both.metrics()).toEqual(['metrics', 'metrics']);
    await both.close();
    expect(lost).not.toHaveBeenCalled();
  });

  test('are not there where one ends before it serves', async () => {
    const { threads } = start('ends at once');
    await expect(threads).rejects.toThrow('a thread of the front end has ended');
  });

  test.each(['ends when asked', 'throws when asked'])(
    'are told of as lost where one %s: nobody waits for it',
    async (behaviour) => {
      const { threads, lost } = start(behaviour);
      const both = await threads;
      await expect(both.settle()).rejects.toMatchObject({ code: 'worker_lost', status: 503 });
      // Both are asked, and both end: each is told of, in its own time.
      await expect.poll(() => lost.mock.calls).toEqual([[expect.any(Error)], [expect.any(Error)]]);
      await expect(both.settle()).rejects.toMatchObject({ code: 'worker_lost' });
    },
  );
});
