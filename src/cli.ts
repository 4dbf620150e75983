import { keepEarlySignals } from './commands/early-signals.js';
import { platformProblem } from './platform.js';

// The platform is judged before anything with a native part is loaded, so that an unsupported one gets a sentence
// and not a stack trace.
const problem = platformProblem(process.version, process.platform, process.arch);
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
} else {
  if (process.argv[2] === 'serve') keepEarlySignals();
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever reads our output may stop early, as `head` does. Other tools are then ended by SIGPIPE, of which shells make
    // 141; Node ignores that signal. 0 would say that all was clean.
    if (error.code === 'EPIPE') process.exit(141);
    process.stderr.write(`standard output cannot be written (${error.code ?? error.message})\n`);
    process.exit(2);
  });
  // What is said beside the results may go unheard.
  process.stderr.on('error', () => undefined);
  void import('./commands/program.js').then(async ({ failure, runCommand }) => {
    process.on('uncaughtException', (error) => process.exit(failure(error)));
    process.exitCode = await runCommand(process.argv);
  });
}
