import { openLmdbStore } from '../../../../src/store/lmdb/lmdb-store.js';
import { application, epoch, scanRecord } from '../../samples.js';

/* Changes a store that another process has open: revokes a token, adds an application and many records. Arguments: folder, id of the token. */
const [folder = '', tokenId = ''] = process.argv.slice(2);
const store = openLmdbStore(folder);
const token = store.tokens.get(tokenId);
if (!token) throw new Error('The token is not to be seen.');
await store.change((write) => write.tokens.put({ ...token, revokedAt: epoch + 1 }));
await store.change((write) => write.applications.put(application({ name: 'Made elsewhere' })));
// Some megabytes: more than the other process has mapped of the file so far.
await Promise.all(
  Array.from({ length: 5_000 }, (_, i) => store.scans.append(scanRecord(i, i, { projectId: 'elsewhere' }))),
);
await store.close();
process.stdout.write('"done"\n');
