// Prints how much ordinary code is flagged, by policy and rule, of the packages that the shipped model never learned from:
//   npm run build && node scripts/train/measure-ordinary.mjs
import { createGuard } from '../../dist/index.js';
import { ordinaryCode } from './ordinary-code.mjs';

const guard = await createGuard();
const byRole = new Map();
const byPolicy = new Map();
const byRule = new Map();
const count = (tally, key) => tally.set(key, (tally.get(key) ?? 0) + 1);
let pieces = 0;
for (const { role, text } of ordinaryCode({ heldOut: true })) {
  pieces++;
  count(byRole, `${role}, all`);
  const { flagged, payload, dev_info } = guard.scanSync([{ role, content: text }], { payload: true, dev_info: true });
  if (!flagged) continue;
  count(byRole, `${role}, flagged`);
  for (const policy of new Set(payload.map(({ detector_type }) => detector_type))) count(byPolicy, policy);
  for (const { id } of dev_info.rules) count(byRule, id);
}
await guard.close();
const percent = (part) => `${((100 * part) / pieces).toFixed(2)} %`;
const line = ([key, part]) => `  ${key.padEnd(20)} ${String(part).padStart(5)}  ${percent(part)}`;
const lines = (tally) => [...tally].sort(([, a], [, b]) => b - a).map(line);
process.stdout.write(
  [`${pieces} pieces`, ...lines(byRole), 'policies', ...lines(byPolicy), 'rules', ...lines(byRule), ''].join('\n'),
);
