import { open } from 'lmdb';

/* Holds the store's only write lock, as a process that was stopped in the middle of a transaction. Argument: folder. */
const [folder = ''] = process.argv.slice(2);
const root = open(folder, { noSubdir: false });
root.transactionSync(() => {
  process.stdout.write('"locked"\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30_000);
});
