// Runs the fault tests for long: kill -9 under load, and mixed load with flat memory.
//
//   npm run build && npm run soak [-- --kills 50] [--minutes 60] [--durability committed] [--clients 24]
//
// First kills the service again and again on one data folder: nothing that was acknowledged may be missing, and every way
// to ask must give the same. Then loads it for the minutes with scans of all sizes, flagged and clean, over REST and MCP,
// with results, overviews and broken requests among them, and watches its memory. Ends with 1 where anything is wrong.
import { parseArgs } from 'node:util';
import { killRounds } from '../test/soak/kills.js';
import { mixedLoad } from '../test/soak/mixed-load.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    minutes: { type: 'string', default: '60' },
    durability: { type: 'string', default: 'committed' },
    clients: { type: 'string', default: '24' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run soak -- [options]

  --kills <N>         rounds of kill -9 under load; 0 for none (default: 50)
  --minutes <N>       mixed load with its memory watched; 0 for none (default: 60)
  --durability <D>    relaxed, committed or flushed (default: committed)
  --clients <N>       clients that ask at the same time (default: 24)
  -h, --help          this text

Exit code 1 where anything was lost or wrong.`);
  process.exit(0);
}
const clients = Number(values.clients);
const { durability } = values;
const say = (line) => console.log(`${new Date().toISOString()} ${line}`);
const wrong = [];

if (Number(values.kills) > 0) {
  const report = await killRounds({ rounds: Number(values.kills), durability, scans: 2_000, clients, tell: say });
  say(JSON.stringify(report));
  wrong.push(...report.wrong);
  if (durability === 'relaxed') say('relaxed durability may lose what was acknowledged last');
  else if (report.lost > 0) wrong.push(`${report.lost} acknowledged scans were lost`);
}
if (Number(values.minutes) > 0) {
  const report = await mixedLoad({ minutes: Number(values.minutes), durability, clients, tell: say });
  say(JSON.stringify(report));
  wrong.push(...report.wrong);
}
for (const line of wrong) say(`WRONG: ${line}`);
say(wrong.length === 0 ? 'nothing wrong' : `${wrong.length} things wrong`);
process.exitCode = wrong.length === 0 ? 0 : 1;
