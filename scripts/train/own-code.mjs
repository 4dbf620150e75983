// Ordinary code of our own making, for kinds of which pinned packages hold little: markup, queries, scripts of shells and
// editors, tables. Written for this project; every text is put together by a seeded choice.
import { markup } from './own-markup.mjs';
import { queries } from './own-queries.mjs';
import { scripts } from './own-scripts.mjs';
import { voice } from './own-words.mjs';

/** Texts of each kind; `next` gives numbers from 0 up to 1. */
export function* ownCode(most, next) {
  const voiceOf = voice(next);
  const roles = ['assistant', 'tool', 'user'];
  for (const make of Object.values({ ...markup, ...queries, ...scripts })) {
    for (let i = 0; i < most; i++) {
      const role = roles[i % roles.length];
      const text = make(voiceOf);
      yield { role, text };
      // A few lines out of a query are what injections look like.
      const few = Object.values(queries).includes(make) ? text : fewLines(text, next);
      if (few !== text) yield { role, text: few };
    }
  }
}

/** One to four lines of a text: what a short answer shows. */
function fewLines(text, next) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const from = Math.floor(next() * lines.length);
  return lines
    .slice(from, from + 1 + Math.floor(next() * 4))
    .join('\n')
    .trim();
}
