#!/usr/bin/env node
import { platformProblem } from './platform.js';

// The platform is judged before anything with a native part is loaded, so that an unsupported one gets a sentence
// and not a stack trace.
const problem = platformProblem(process.version, process.platform, process.arch);
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
} else {
  const { runCommand } = await import('./commands/program.js');
  process.exitCode = await runCommand(process.argv);
}
