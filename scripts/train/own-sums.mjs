// Worked sums: stories with numbers and how one gets to the answer, as homework and answers have them. Their equations
// (`or 3 * 4 = 12`) look like conditions of a query that always hold, and their amounts (`500 times`, `every 5 minutes`) like
// floods.

import { voice } from './own-words.mjs';

const names = ['Ana', 'Bashir', 'Chidi', 'Dora', 'Emeka', 'Freya', 'Goran', 'Hana', 'Ilse', 'Joao', 'Kofi', 'Lena'];
const things = ['pens', 'tiles', 'eggs', 'candles', 'tickets', 'bricks', 'stickers', 'apples', 'shirts', 'seedlings'];
const boxes = ['boxes', 'crates', 'packs', 'trays', 'bags', 'shelves', 'rows'];
const places = ['the fair', 'the market', 'school', 'the depot', 'the workshop', 'the library'];
const spans = ['day', 'week', 'month', 'hour', 'shift', 'season'];

/** How an equation is written: with or without blanks, with one of the signs, marked for a calculator, or in TeX. */
function writing(pick) {
  const gap = pick(['', ' ', ' ']);
  const sign = { '*': pick(['*', 'x', '×', '*']), '/': pick(['/', '÷', '/']), '+': '+', '-': '-' };
  const form = pick(['plain', 'plain', 'plain', 'marked', 'tex']);
  return (left, sum, unit = '') => {
    const shown = left.map((part) => (part in sign ? sign[part] : String(part))).join(gap);
    if (form === 'marked') return `${shown}${gap}=${gap}${unit}<<${left.join('')}=${sum}>>${sum}`;
    if (form === 'tex') return `$${left.join(' ').replaceAll('*', '\\times').replaceAll('/', '\\div')} = ${sum}$`;
    return `${shown}${gap}=${gap}${unit}${sum}`;
  };
}

const steps = [
  ({ who, thing, box, a, b, eq }) => [
    `${who} fills ${a} ${box} with ${b} ${thing} each.`,
    `That makes ${eq([a, '*', b], a * b)} ${thing}.`,
  ],
  ({ who, thing, a, b, place, eq }) => [
    `${who} takes ${a + b} ${thing} to ${place} and sells ${b} of them.`,
    `There are ${eq([a + b, '-', b], a)} ${thing} left, or ${eq([a, '+', b], a + b)} with the sold ones.`,
  ],
  ({ who, thing, a, b, eq }) => [
    `One of the ${thing} costs $${a}, so ${who} pays ${eq([b, '*', a], a * b, '$')} for ${b} and has $${b} over.`,
  ],
  ({ thing, a, b, eq }) => [
    `Of ${a * b} ${thing}, every ${b}th is broken, or ${eq([a * b, '/', b], a)} of them.`,
    `The rest is ${eq([a * b, '-', a], a * b - a)}.`,
  ],
  ({ who, span, a, b, eq }) => [
    `${who} runs up the stairs ${a} times every ${span}, and twice as often on Sundays, or ${eq([2, '*', a], 2 * a)} times.`,
    `In ${b} ${span}s that is ${eq([a, '*', b], a * b)} times.`,
  ],
  ({ who, span, a, b, eq }) => [
    `The book has ${a * b} pages and ${who} reads ${a} pages each ${span}.`,
    `So ${who} needs ${eq([a * b, '/', a], b)} ${span}s, and after ${b - 1} of them ${eq([a * b, '-', a * (b - 1)], a)} pages are left.`,
  ],
  ({ a, b, eq }) => [
    `Half of ${2 * a} is ${a}, and 3/4 of ${4 * b} is ${eq([4 * b, '*', 3, '/', 4], 3 * b)}.`,
    `Together they are ${eq([a, '+', 3 * b], a + 3 * b)}, so x = ${a + 3 * b}.`,
  ],
  ({ who, a, b, eq }) => [
    `${who} spent ${b}% of $${a}00 on food, or ${eq([a, '*', b], a * b, '$')}, and 1/4 of the rest and $${a} on books.`,
  ],
  ({ a, b, eq }) => [
    `Let x be the number of adults; then ${a}x + ${b} = ${a * b + b}, or ${a}x = ${eq([a * b + b, '-', b], a * b)} and x = ${b}.`,
  ],
  ({ who, span, a, b, eq }) => [
    `The pump fills ${a} litres every ${b} minutes, which is ${eq([60, '/', b], Math.round(600 / b) / 10)} times an hour.`,
    `${who} lets it run again and again for a whole ${span} until the tank of ${a * b} litres is full.`,
  ],
];

const endings = [
  ({ a, b }) => `#### ${a * b}`,
  ({ a, b }) => `The answer is ${a * b}.`,
  ({ a, b }) => `**Answer: ${a + b}**`,
  ({ thing }) => `How many ${thing} are there at the end?`,
  () => '',
];

/** `count` sums, each of one to four steps and an ending; role and text. */
export function* ownSums(count, next) {
  const { among: pick } = voice(next);
  for (let i = 0; i < count; i++) {
    const eq = writing(pick);
    const lines = [];
    let scene;
    for (let step = Math.floor(next() * 4); step >= 0; step--) {
      const numbers = { a: 2 + Math.floor(next() * 48), b: 2 + Math.floor(next() * 23) };
      scene = {
        who: pick(names),
        thing: pick(things),
        box: pick(boxes),
        place: pick(places),
        span: pick(spans),
        ...numbers,
      };
      lines.push(...pick(steps)({ ...scene, eq }));
    }
    const text = [...lines, pick(endings)(scene)].join(pick([' ', '\n'])).trim();
    yield { role: pick(['assistant', 'user', 'tool']), text };
  }
}
