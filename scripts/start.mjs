// `npm start`: sets up what is needed, then serves in this process. Arguments go to `merlon serve`.
import { setUp } from './setup.mjs';

const watchMs = 250;

setUp();
stopWithNpm();
const cli = new URL('../dist/cli.js', import.meta.url);
process.argv = [process.argv[0], cli.pathname, 'serve', ...process.argv.slice(2)];
await import(cli.href);

/**
 * npm hands a SIGTERM to the shell between it and us, and a shell that does not hand it on leaves the service behind.
 * Where npm started us, a change of parent is that signal.
 */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, watchMs);
  watch.unref();
}
