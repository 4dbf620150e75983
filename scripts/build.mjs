// Builds dist/ from src/ and notes which revision it was built from.
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildHash, buildStamp, root, run, sourceHash } from './setup.mjs';

rmSync(join(root, 'dist'), { recursive: true, force: true });
run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.json']);
chmodSync(join(root, 'dist', 'cli.js'), 0o755);
run(process.execPath, [join(root, 'scripts', 'build-dashboard.mjs')]);
run(process.execPath, [join(root, 'scripts', 'bundle-packages.mjs')]);
run(process.execPath, [join(root, 'scripts', 'bundle-start.mjs')]);

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';
const gitRevision = git('rev-parse', 'HEAD') || 'unknown';
const gitTimestamp = git('log', '-1', '--format=%ct') || '0';
writeFileSync(
  join(root, 'dist', 'build-info.json'),
  `${JSON.stringify({ gitRevision, gitTimestamp, buildId: sourceHash() })}\n`,
);
writeFileSync(buildStamp, buildHash());
