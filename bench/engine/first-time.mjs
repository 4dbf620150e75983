import { readFileSync } from 'node:fs';
import { corpusOf, seeded } from './corpora.mjs';
import { merlonFull } from './full.mjs';
import { quantile, significant } from './measure.mjs';

/** Messages in peace, written one by one for the training of the models. */
const written = new URL('../../scripts/train/written/messages.jsonl', import.meta.url);
const unitsMin = 100;
const warmUpCount = 1_000;
const rounds = 3;

/**
 * What the other figures cannot show: they scan the same texts again and again, whose part of the tables, and of the automata that RE2 makes
 * on the way, is in the caches. Here a new scanner has seen a thousand other messages a few times, and meets each message once; then all of them again.
 * @returns {{ messages: number, bytes: number, first: Times, again: Times }}
 * @typedef {{ p50us: number, p99us: number, meanUs: number }} Times
 */
export function measureFirstTime(rules, profile) {
  const runner = merlonFull(rules, profile);
  const texts = shuffled(readWritten());
  runner.run(corpusOf('first', texts), warmUpCount, rounds);
  const met = corpusOf('met', texts.slice(warmUpCount));
  const messages = met.texts.length;
  const [first, again] = [1, 2].map(() => timesOf(runner.times(met, messages)));
  return { messages, bytes: Math.round(met.bytes / messages), first, again };
}

function readWritten() {
  const lines = readFileSync(written, 'utf8').trimEnd().split('\n');
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ label, role, text }) => label === 'benign' && role === 'user' && text.length >= unitsMin)
    .map(({ text }) => text);
}

function shuffled(texts) {
  const random = seeded(8);
  return texts
    .map((text) => ({ text, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text);
}

function timesOf(times) {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return {
    p50us: significant(quantile(times, 0.5)),
    p99us: significant(quantile(times, 0.99)),
    meanUs: significant(mean),
  };
}
