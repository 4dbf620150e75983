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
  };
  // In place of what ends other commands.
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
  return end;
}
