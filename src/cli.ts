#!/usr/bin/env node
import { platformProblem } from './platform.js';

// The platform is judged before anything with a native part is loaded, so that an unsupported one gets a sentence
// and not a stack trace.
const problem = platformProblem(process.version, process.platform, process.arch);
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
} else {
  // Whoever reads our output may stop early, as `head` does; that is no failure of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  const { runCommand } = await import('./commands/program.js');
  process.exitCode = await runCommand(process.argv);
}
