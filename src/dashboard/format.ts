/** Numbers and times as people read them; local time, with UTC at hand in `title`. */

const number = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const ago = new Intl.RelativeTimeFormat('en');

/** Units with their seconds, and how many of them it takes before they are told: 59 days say more than 1 month. */
const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number, least: number])[] = [
  ['year', 31_536_000, 2],
  ['month', 2_592_000, 2],
  ['day', 86_400, 1],
  ['hour', 3_600, 1],
  ['minute', 60, 1],
];

export function formatNumber(value: number): string {
  return number.format(value);
}

/** At most four characters, e.g. `12.4K`. */
export function formatCompact(value: number): string {
  return compact.format(value);
}

export function formatTime(iso: string): string {
  return time.format(new Date(iso));
}

/** How long ago, or how long until, e.g. `3 minutes ago`. */
export function formatAgo(iso: string, nowMs = Date.now()): string {
  const seconds = (Date.parse(iso) - nowMs) / 1_000;
  const step = steps.find(([, size, least]) => Math.abs(seconds) >= size * least);
  if (step === undefined) return seconds > 0 ? 'in a moment' : 'just now';
  return ago.format(Math.round(seconds / step[1]), step[0]);
}

/** A duration given in microseconds, e.g. `84 µs` or `1.2 ms`. */
export function formatUs(us: number): string {
  if (us < 1_000) return `${Math.round(us)} µs`;
  if (us < 1_000_000) return `${(us / 1_000).toFixed(us < 10_000 ? 1 : 0)} ms`;
  return `${(us / 1_000_000).toFixed(1)} s`;
}

export function formatPercent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  return `${percent.toFixed(percent > 0 && percent < 10 ? 1 : 0)} %`;
}

/** `1 scan`, `2 scans`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
