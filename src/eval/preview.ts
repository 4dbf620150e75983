import { limits } from '../domain/limits.js';
import type { Judged } from './judged.js';

/** Shows a sample's text where it may be shown: cut and redacted, or whole. */
export type Preview = (judged: Judged) => string;

/** The whole text, for those who asked for it. */
export const wholeText: Preview = ({ sample }) => sample.text;

/** Runs that could hold a secret: an attack of another kind keeps the short ones, or nobody could tell what it is. */
const runs = { strict: /\S{8,}/g, lax: /[\w+/=~.-]{12,}/g };

/**
 * The beginning of the text without what could be a secret: labelled spans by their type, findings of LLM02, and every
 * long run of characters with a digit in it, because a secret that was missed has neither label nor finding.
 */
export const redactedPreview: Preview = ({ sample, findings }) => {
  const { text, spans = [] } = sample;
  const hidden = [
    ...spans.map(({ start, end, type }) => ({ start, end, name: type })),
    ...findings
      .filter(({ policy }) => policy === 'LLM02')
      .map(({ start, end, labels }) => ({ start, end, name: labels[0] })),
  ].sort((a, b) => a.start - b.start || b.end - a.end);
  let shown = '';
  let at = 0;
  for (const { start, end, name } of hidden) {
    if (shown.length >= limits.previewUnitsMax) break;
    if (start >= at) shown += `${text.slice(at, start)}[${name}]`;
    at = Math.max(at, end);
  }
  if (shown.length < limits.previewUnitsMax) shown += text.slice(at, at + limits.previewReadUnitsMax);
  const isSecret = !sample.isAttack || sample.policies.includes('LLM02');
  const masked = shown
    .replace(isSecret ? runs.strict : runs.lax, (run) => (/\d/.test(run) ? '[…]' : run))
    .replace(/\s+/g, ' ');
  const short = masked.slice(0, limits.previewUnitsMax);
  // A cut pair would be no character at all.
  const whole = /[\ud800-\udbff]$/.test(short) ? short.slice(0, -1) : short;
  return whole.length < masked.length || at > text.length ? `${whole}…` : whole;
};
