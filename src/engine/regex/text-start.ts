import type { Context, RequiredLiterals } from './context.js';
import { compileFlank, type Flank, passesFlank } from './flank.js';

/**
 * Among required literals the empty one: it stands for the start of the text, where a pattern that is anchored there is
 * looked at once, by a flank alone.
 */
export const textStart = '';

/** Beside it no border is asked. */
const noWordUnit = 0x20;

/** What must follow the start of the text. Of how ordinary messages begin it tells most. */
export function textStartFlank(contexts: readonly Context[], ignoreCase: boolean, states?: number): Flank | undefined {
  return compileFlank(contexts, 'after', noWordUnit, ignoreCase, states, ordinaryBeginnings);
}

/** True if all that is required is the start of the text. */
export function isTextStart(literals: RequiredLiterals): boolean {
  return literals.size === 1 && literals.has(textStart);
}

/** True if few texts begin as the pattern asks. */
export function isTellingStart(literals: RequiredLiterals): boolean {
  const start = literals.get(textStart);
  if (!start) return false;
  const flank = textStartFlank(start.contexts, true);
  if (!flank) return false;
  return ordinaryBeginnings.filter((text) => passesFlank(flank, 0, text, 0, 1)).length <= passingMax;
}

const passingMax = 2;
/** How ordinary messages begin: prose, lists, mark-up, code, data. Longer than a flank reads. */
const ordinaryBeginnings: readonly string[] = [
  'Please write a short letter to my landlord about it.',
  'Explain how a cider press works to a child of ten years',
  'What is the best way to prune an apple tree in winter?',
  'The harvest was good, and the press ran until night.',
  "I'm looking for a gift, or an idea for one, for him.",
  'What are the steps? I have 3 of them, and all differ.',
  'Hello! Can you help me and my friend with the homework?',
  '1. Wash the fruit and cut it into pieces of one inch.',
  '- the first of two points, and then all of the others',
  '# Notes of the meeting, and what was decided there all',
  '"It rains," she said and closed the windows of the hall.',
  '{"name": "orchard", "rows": 12, "trees": ["a", "b", "c"]}',
  '<p>The orchard lies behind the house, on the hill.</p>',
  'def rows(trees, width): return [trees[i] for i in width]',
  'SELECT name, age FROM trees WHERE age > 3 ORDER BY name;',
  'user_id=42 and the rest of the line is what the log says',
  '2024-05-01 12:00:03 INFO started the server on the port',
  'https://example.com/orchard?tree=3 is the page that I saw',
];
