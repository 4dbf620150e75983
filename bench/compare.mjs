// Another build beside the one in dist, in turns and in one process: an hour of this machine, or of its neighbours, meets both alike.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { print, readOptions, refuse, say } from './command.mjs';
import { median, quantile, significant } from './engine/measure.mjs';

const usage = `usage: npm run bench:compare -- --with DIST [--data FILE] [--texts N] [--rounds N] [--json]

  --with DIST    the dist folder of another build
  --data FILE    messages, JSONL with "text" (default: rules/lists/ordinary.jsonl)
  --texts N      so many of them, evenly (default: 1000)
  --rounds N     how often each is scanned by either (default: 15)
  --json         the record on standard output, the table on standard error
`;
const warmUpRounds = 3;

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const options = readOptions(args, usage, {
    with: { type: 'string' },
    texts: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '15' },
  });
  if (typeof options === 'number') return options;
  const [texts, rounds] = [Number(options.texts), Number(options.rounds)];
  if (!(Number.isSafeInteger(texts) && texts > 0)) return refuse('--texts: must be a whole number above 0');
  if (!(Number.isSafeInteger(rounds) && rounds > 0)) return refuse('--rounds: must be a whole number above 0');
  const here = new URL('../dist/index.js', import.meta.url);
  const other = options.with && pathToFileURL(resolve(options.with, 'index.js'));
  if (!existsSync(here)) return refuse('there is no build in dist: run npm run build');
  if (!other || !existsSync(other)) return refuse('--with: name the dist folder of another build');
  // Each build's rules are its own, also where both have the same version.
  process.env.MERLON_CACHE = 'off';
  const guards = [];
  for (const url of [other, here]) guards.push(await (await import(url.href)).createGuard());
  const messages = evenly(options.ordinary, texts).map(({ text }) => [{ role: 'user', content: text }]);
  say(`${messages.length} messages, ${rounds} rounds`);
  const measured = measure(guards, messages, rounds);
  print(options.json, undefined, measured, report(measured));
  return 0;
}

/** Microseconds of each build, the other one first: of the fastest scan of each message, and what a message took in a round. */
function measure(guards, messages, rounds) {
  const best = guards.map(() => new Float64Array(messages.length).fill(Number.POSITIVE_INFINITY));
  const ofRound = guards.map(() => []);
  for (let round = -warmUpRounds; round < rounds; round++) {
    const turns = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const build of turns) {
      const began = performance.now();
      messages.forEach((message, place) => {
        const start = performance.now();
        guards[build].scanSync(message);
        if (round >= 0) best[build][place] = Math.min(best[build][place], (performance.now() - start) * 1_000);
      });
      if (round >= 0) ofRound[build].push(((performance.now() - began) * 1_000) / messages.length);
    }
  }
  const [before, now] = guards.map((_, build) => ({
    p50us: significant(median([...best[build]])),
    p90us: significant(quantile([...best[build]], 0.9)),
    meanUs: significant(best[build].reduce((sum, time) => sum + time, 0) / messages.length),
    inTurnUs: significant(median(ofRound[build])),
  }));
  const ratios = ofRound[1].map((time, round) => time / ofRound[0][round]);
  return { messages: messages.length, rounds, before, now, ratio: significant(median(ratios)) };
}

function report({ before, now, ratio }) {
  const row = (name, { p50us, p90us, meanUs, inTurnUs }) =>
    [name.padEnd(10), ...[p50us, p90us, meanUs, inTurnUs].map((us) => String(us).padStart(12))].join('');
  const head = [
    'build'.padEnd(10),
    ...['p50 µs', 'p90 µs', 'mean µs', 'in turn µs'].map((title) => title.padStart(12)),
  ];
  return `${[head.join(''), row('other', before), row('this', now)].join('\n')}\nthis ÷ other, median of the rounds: ${ratio}\n`;
}

function evenly(list, count) {
  if (list.length <= count) return list;
  return Array.from({ length: count }, (_, place) => list[Math.floor((place * list.length) / count)]);
}
