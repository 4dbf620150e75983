import { afterEach, describe, expect, test } from 'vitest';
import { StandardError } from '../../src/telemetry/standard-error.js';

/** Takes so many bytes a time as is said, in turn; 0 is a pipe that is full, undefined a disk that is. */
function createSink(...takes: readonly (number | undefined)[]) {
  const left = [...takes];
  let text = '';
  let asked = 0;
  const errors = new StandardError(
    (count) => `lost ${count}\n`,
    (bytes, from) => {
      asked++;
      const taken = left.length === 0 ? bytes.length : left.shift();
      if (taken === undefined) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      if (taken === 0) throw Object.assign(new Error('busy'), { code: 'EAGAIN' });
      text += Buffer.from(bytes.subarray(from, from + taken)).toString();
      return Math.min(taken, bytes.length - from);
    },
  );
  return { errors, text: () => text, asked: () => asked };
}

// What was written last is one for the whole process.
afterEach(() => createSink().errors.write('\n'));

/** A pipe that nobody reads for the second that is waited for it. */
const stalled = Array(3_000).fill(0);

describe('lines on standard error', () => {
  test('are written in as many pieces as it takes', () => {
    const { errors, text } = createSink(3, 0, 0, 1);
    errors.write('one\ntwo\n');
    errors.write('three\n');
    expect(text()).toBe('one\ntwo\nthree\n');
  });

  test('that nothing takes are left out, and told of once something does', () => {
    const { errors, text } = createSink(undefined, undefined);
    errors.write('one\ntwo\n');
    errors.write('three\n');
    errors.write('four\n');
    errors.write('five\n');
    expect(text()).toBe('lost 3\nfour\nfive\n');
  });

  test('are waited for once where nobody reads on; one that was begun stays broken alone', () => {
    const { errors, text, asked } = createSink(4 + 2, ...stalled);
    const begun = performance.now();
    errors.write('one\ntwo\nthree\n');
    expect(performance.now() - begun).toBeGreaterThan(900);
    const before = asked();
    errors.write('four\n');
    errors.write('five\n');
    expect(asked() - before, 'each once').toBe(2);
    expect(text()).toMatch(/^one\ntw\n?/);
  });

  test('are whole again behind one that was broken', () => {
    const { errors, text } = createSink(2, undefined);
    errors.write('one\ntwo\n');
    errors.write('three\n');
    expect(text()).toBe('on\nlost 2\nthree\n');
  });

  test('are counted without the line feed that ends what another thread broke', () => {
    createSink(2, undefined).errors.write('one\n');
    const { errors, text } = createSink(undefined);
    errors.write('two\n');
    errors.write('three\n');
    expect(text()).toBe('\nlost 1\nthree\n');
  });
});
