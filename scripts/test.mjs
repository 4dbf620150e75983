// `npm test`: sets up what is needed and compiles the rules for all tests, because that takes longer than a test may;
// then runs them. Arguments go to the test runner.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, rulesCache, run, setUp } from './setup.mjs';

setUp();
run(process.execPath, [join(root, 'dist', 'cli.js'), 'scan'], {
  env: { ...process.env, MERLON_CACHE: rulesCache },
  stdio: ['ignore', 'ignore', process.stderr],
});
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const result = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exit(result.status ?? 1);
