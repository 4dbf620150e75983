// Prints labelled messages of our own making, as JSON lines: requests in peace that share their words with attacks, and
// attacks in languages and styles of which collections hold few; and the examples of the rules. The shipped model learns
// from them beside others:
//   npm run build && node scripts/train/own-texts.mjs > own.jsonl
// With --by-author what is written by hand is told apart by who wrote it. With --planted also attacks that stand in documents: what the
// model of tool results learns from. With --agents also what agents are told, say and read that is risky or looks like it: what the model
// of the policies for agents learns from. With --prompts also what those write who build with models.
// Sentences are put together from parts by a seeded choice, so every run prints the same.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { textOf } from '../../dist/rules/examples.js';
import { readRules } from '../../dist/rules/load.js';
import { seededRandom } from '../../dist/train/random.js';
import { ownCalls } from './own-calls.mjs';
import { ownCode } from './own-code.mjs';
import { ownData } from './own-data.mjs';
import { ownFigures } from './own-figures.mjs';
import { code, english, languages, quiet } from './own-parts.mjs';
import { ownPrompts } from './own-prompts.mjs';
import { ownSums } from './own-sums.mjs';
import { ownTold } from './own-told.mjs';

const perList = 260;
const perLanguage = 70;
const perKind = 160;
const callsMade = 600;
const sumsMade = 500;
const toldMade = 4000;
const figuresMade = 2500;
const dataPerKind = 40;
const promptsPerKind = 120;

function sentences(lists, most, seed) {
  const next = seededRandom(seed);
  const found = new Set();
  for (let i = 0; i < most * 4 && found.size < most; i++) {
    const text = lists.map((parts) => parts[Math.floor(next() * parts.length)]).join(' ');
    found.add(text.replace(/ +([,.?!:;。？！，])/g, '$1').trim());
  }
  return [...found];
}

let number = 0;
function print(kind, lang, policies, texts, role = 'user') {
  for (const text of texts) {
    const id = `own-${String(++number).padStart(5, '0')}`;
    const label = policies.length > 0 ? 'attack' : 'benign';
    const source = `own-${kind}`;
    process.stdout.write(`${JSON.stringify({ id, source, license: 'MIT', role, label, policies, lang, text })}\n`);
  }
}

let seed = 1;
for (const { kind, policies = [], lists } of english) print(kind, 'en', policies, sentences(lists, perList, seed++));
for (const { lists } of code) print('code', 'en', [], sentences(lists, perList, seed++), 'assistant');
for (const { role, text } of ownCode(perKind, seededRandom(seed++))) print('code', 'und', [], [text], role);
for (const { lang, peace, attack, extraction } of languages) {
  print('peace', lang, [], sentences(peace, perLanguage, seed++));
  print('attack', lang, ['LLM01'], sentences(attack, perLanguage / 2, seed++));
  print('extraction', lang, ['LLM01', 'LLM07'], sentences(extraction, perLanguage / 2, seed++));
}
for (const { lang, peace } of quiet) print('peace', lang, [], sentences(peace, perLanguage, seed++));

function linesOf(name) {
  return readFileSync(new URL(`written/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
}

/**
 * Written by hand, each for itself: what no list of parts puts together. Attacks that stand in documents are left out unless asked
 * for: they look so much like their documents that a linear model, taught by them, finds less of everything else (DECISIONS 59).
 */
const withPlanted = process.argv.includes('--planted');
const byAuthor = process.argv.includes('--by-author');
/** Each author is a source, so that cross-validation leaves one out; of the first ones, who wrote one after the other, each stretch. */
const stretches = { messages: [1, 2, 3, 4], documents: [1, 2, 3, 4, 5, 6], languages: ['languages'] };
const authorOf = (name, author, share) => author ?? stretches[name][Math.floor(stretches[name].length * share)];
for (const name of ['messages', 'documents', 'languages', ...(withPlanted ? ['planted', 'planted-languages'] : [])]) {
  const lines = linesOf(name);
  lines.forEach((line, index) => {
    const { author, label, policies, role, lang, text } = JSON.parse(line);
    const isPlanted = withPlanted && role === 'tool';
    const writer = authorOf(name, author, index / lines.length);
    if (label === 'benign') print(isPlanted ? 'document' : 'written', lang, policies, [text], role);
    else if (isPlanted) print(`planted-${writer}`, lang, policies, [text], role);
    else if (role === 'user') print(byAuthor ? `written-${writer}` : 'written', lang, policies, [text], role);
  });
}

/** What agents say and read; each author of attacks is a source, and of peace as `peaceOf` says. */
function printAuthored(name, peaceOf) {
  for (const line of linesOf(name)) {
    const { author, label, policies, role, lang, text } = JSON.parse(line);
    print(label === 'benign' ? peaceOf(author) : `agents-${author}`, lang, policies, [text], role);
  }
}

if (process.argv.includes('--agents')) {
  printAuthored('agents', (author) => `quiet-agents-${author}`);
  for (const { role, text } of ownCalls(callsMade, seededRandom(seed++))) print('calls', 'en', [], [text], role);
}

if (process.argv.includes('--business')) {
  // Of the twins of attacks, which nobody meets every day, no budget is made.
  printAuthored('business', () => 'business');
}

for (const { role, text } of ownSums(sumsMade, seededRandom(seed++))) print('sums', 'en', [], [text], role);
for (const { role, text } of ownData(dataPerKind, seededRandom(seed++))) print('data', 'und', [], [text], role);
if (process.argv.includes('--prompts')) {
  for (const { role, text } of ownPrompts(promptsPerKind, seededRandom(seed++)))
    print('prompts', 'und', [], [text], role);
}
for (const { role, lang, text } of ownTold(toldMade, seededRandom(seed++))) print('told', lang, [], [text], role);
for (const { role, lang, text } of ownFigures(figuresMade, seededRandom(seed++)))
  print('figures', lang, [], [text], role);

/** Policies of what a rule's examples say, for the heads of the model; and who says it. */
const taught = {
  LLM01: { policies: ['LLM01'], role: 'user' },
  LLM05: { policies: ['LLM05'], role: 'assistant' },
  LLM07: { policies: ['LLM01', 'LLM07'], role: 'user' },
};
/** A rule of less than this is a hint: alone its examples are no attacks. */
const convicting = 0.5;

for (const { policy, source } of readRules(fileURLToPath(new URL('../../rules/', import.meta.url)))) {
  if (!(policy in taught)) continue;
  const { policies, role } = taught[policy];
  const { match, clean, near } = source.examples;
  if (source.score >= convicting) print('example', 'und', policies, match.map(textOf), role);
  print('near', 'und', [], [...clean, ...near].map(textOf), role);
}
