// A pool worker that dies under the first shard of a scan it helps with. Runs on what is built, like the pool's own.
import { TextShare } from '../../dist/engine/shard/shared-text.js';
import runTask from '../../dist/pool/worker.js';

export default function runOrDie(task) {
  if (task.kind !== 'help') return runTask(task);
  const share = new TextShare(task.shared[0].text);
  if (share.claimViews()) process.exit(1);
  return runTask(task);
}
