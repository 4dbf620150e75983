import { isMainThread, Worker } from 'node:worker_threads';
import { createLogger } from '../../dist/telemetry/log.js';

// Four threads that log at once, each on its own, as those of a front end do.
if (isMainThread) for (let thread = 0; thread < 3; thread++) new Worker(new URL(import.meta.url));
const log = createLogger({ level: 'info' });
let left = 400;
const write = () => {
  for (let line = 0; line < 20; line++) log.info('a line', { request_id: 'r'.repeat(400) });
  if (--left > 0) setImmediate(write);
};
write();
