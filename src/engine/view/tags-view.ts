import { viewBit } from './kinds.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';

/** Elements of HTML that stand within a line, and those of documents of word processors that end none. */
const names =
  'a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr|w:(?!(?:p|tbl|tr|tc)\\b)[a-z]{1,12}|text:span';
/** Attributes of a tag are not read further. */
const tag = new RegExp(`</?(?:${names})(?:[\\s/][^<>]{0,600})?>`, 'giu');
const ending = new RegExp(`</(?:${names})>|<wbr/?>`, 'iu');

/** Whether there is the end of a tag that stands within a line. Linear, and next to nothing where there is no end of any tag. */
export function mayHoldTags(text: string): boolean {
  return (text.includes('</') || text.includes('<wbr')) && ending.test(text);
}

/**
 * The text as a page shows it where words are links or set in bold (`Ignore <a href="/all">all</a> <b>previous</b> instructions`): without the
 * tags that stand within lines. Undefined where there are none. Linear.
 */
export function tagsView(parent: View, budget: ViewBudget): View | undefined {
  const builder = new ViewBuilder(parent, budget);
  builder.kinds = viewBit('markup');
  for (const { index, 0: found } of parent.text.matchAll(tag)) {
    builder.replace(index, index + found.length);
  }
  return builder.finish();
}
