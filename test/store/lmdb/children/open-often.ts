import { openEnvironment } from '../../../../src/store/lmdb/environment.js';

/* Opens a folder that another process writes to, and closes it, without end; prints how often so far. Argument: folder. */
const [folder = ''] = process.argv.slice(2);
for (let count = 1; ; count++) {
  await openEnvironment(folder).close();
  if (count % 100 === 0) process.stdout.write(`${count}\n`);
}
