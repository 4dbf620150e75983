import { expect, it } from 'vitest';
import { allRoles } from '../../../src/engine/program.js';
import { createScanner } from '../../../src/engine/scanner.js';
import { createWarmUp } from '../../../src/engine/view/warm-up.js';
import { programOf } from '../program-of.js';

it('compiles what its texts ask for, one text a step, and nothing else', () => {
  const compiled: number[] = [];
  const patterns = [{ regex: 'AKIA[0-9A-Z]{4}' }, { regex: 'secret=[^\\n]{1,900}!' }, { regex: 'token=[a-z]{3,9}' }];
  const program = { ...programOf(patterns), warmUp: ['the key AKIA1234', 'token=off'] };
  const scanner = createScanner(program, {
    probe: {
      watchSink: (sink) => sink,
      watchRegex: (pattern, regex) => {
        compiled.push(pattern);
        return regex;
      },
    },
  });
  const warm = createWarmUp(scanner);
  expect([warm(), [...compiled]]).toEqual([true, [0]]);
  expect([warm(), [...compiled]]).toEqual([true, [0, 2]]);
  expect([warm(), warm(), [...compiled]]).toEqual([false, false, [0, 2]]);
  scanner.match('AKIA1234 and token=abcd', allRoles, Uint8Array.of(1, 1, 1));
  expect(compiled).toEqual([0, 2]);
});
