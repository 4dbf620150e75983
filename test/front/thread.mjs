// A thread that does as its name says, in place of one of the front end.
import { parentPort, workerData } from 'node:worker_threads';

const { config: behaviour } = workerData;
if (behaviour === 'ends at once') process.exit(3);
parentPort.postMessage({ kind: 'question', id: 1, name: 'ready', question: 7 });
parentPort.on('message', ({ kind, id, name }) => {
  if (kind !== 'question') return;
  if (behaviour === 'throws when asked') {
    setImmediate(() => {
      throw new Error('a bug');
    });
  } else if (behaviour === 'ends when asked') process.exit(3);
  else parentPort.postMessage({ kind: 'answer', id, answer: name });
});
