import { isMainThread } from 'node:worker_threads';
import { describeError, type Logger } from './log.js';

/**
 * A bug ends the process with a line that tells where, not what: an error's message may quote a prompt. Gives what ends it,
 * for failures that do not come as exceptions.
 */
export function endLoudly(log: Logger): (error: unknown) => void {
  const end = (error: unknown) => {
    log.error('the process ends on an unexpected failure', { error: describeError(error) });
    // `process.exit` waits for the store's thread, which may wait for this one: it would never end.
    process.kill(process.pid, 'SIGKILL');
    // The first process of a container gets no signal that it sends itself. Nothing but the main thread can abort; the end of
    // another one is told there, and comes here once more.
    if (isMainThread) process.abort();
    process.exit(1);
  };
  // In place of what ends other commands.
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
  return end;
}
