import type { Rate } from '../interval.js';

/**
 * Text for HTML, in elements and quoted attributes. Control and bidi characters are spelt out: what a report shows is
 * foreign text, which must neither reorder nor hide what stands around it.
 */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[\p{Cc}\p{Bidi_Control}\p{Cs}]/gu, (character) =>
      character === '\n' || character === '\t'
        ? character
        : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

/** A share in per cent, with as many digits as a small one needs. */
export function percent(share: number): string {
  const value = share * 100;
  return `${value.toFixed(value > 0 && value < 1 ? 2 : 1)} %`;
}

/** `84.1 % (82–86), 120 of 143`; a dash where nothing was looked at. */
export function rateText({ k, n, rate, low, high }: Rate): string {
  return n === 0 ? '–' : `${percent(rate)} (${percent(low)} – ${percent(high)}), ${k} of ${n}`;
}

export interface Column<T> {
  readonly title: string;
  /** HTML of the cell; escaping is the column's task. */
  cell(row: T): string;
  readonly isNumber?: boolean;
}

/** A table that scrolls sideways by itself where the page is narrow. */
export function htmlTable<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const cells = (tag: 'th' | 'td', contents: readonly string[]) =>
    contents.map((content, i) => `<${tag}${columns[i].isNumber ? ' class="n"' : ''}>${content}</${tag}>`).join('');
  const head = cells(
    'th',
    columns.map(({ title }) => escapeHtml(title)),
  );
  const body = rows
    .map(
      (row) =>
        `<tr>${cells(
          'td',
          columns.map(({ cell }) => cell(row)),
        )}</tr>`,
    )
    .join('\n');
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>`;
}

/** A part of the page with its heading; nothing where there is nothing in it. */
export function section(title: string, intro: string, content: string): string {
  if (content === '') return '';
  const said = intro === '' ? '' : `<p>${intro}</p>\n`;
  return `<section>\n<h2>${escapeHtml(title)}</h2>\n${said}${content}\n</section>\n`;
}
