import { readSync } from 'node:fs';
import { open } from 'lmdb';

/* Removes a user in a transaction that is not over before standard input is. Arguments: folder, id of the user. */
const [folder = '', id = ''] = process.argv.slice(2);
const root = open(folder, { noSubdir: false, maxDbs: 64 });
const users = root.openDB('users', { encoding: 'binary', keyEncoding: 'binary' });
root.transactionSync(() => {
  users.removeSync(Buffer.from(id));
  process.stdout.write('"removed"\n');
  readSync(0, Buffer.alloc(16));
});
await root.close();
