/** All settings that are named so, in the order of the README. */
export const settingNames = [
  'MERLON_HOST',
  'MERLON_PORT',
  'MERLON_DATA',
  'MERLON_RULES',
  'MERLON_BOOTSTRAP_TOKEN',
  'MERLON_ALLOWED_HOSTS',
  'MERLON_PUBLIC_URL',
  'MERLON_PROXIES',
  'MERLON_DASHBOARD',
  'MERLON_BODY_BYTES_MAX',
  'MERLON_INLINE_UNITS_MAX',
  'MERLON_THREADS',
  'MERLON_POOL_THREADS',
  'MERLON_ENGINE',
  'MERLON_CACHE',
  'MERLON_QUEUE_MS',
  'MERLON_REMEMBERED_MESSAGES',
  'MERLON_RATE_LIMIT',
  'MERLON_TRACE_RATIO',
  'MERLON_RETENTION_DAYS',
  'MERLON_DURABILITY',
  'MERLON_TOKEN',
  'MERLON_LOG_LEVEL',
] as const;

/** What Kubernetes and Docker tell every container of a service that is called merlon or merlon-something. */
const injected = /_(?:SERVICE|PORT)(?:_|$)/;

/** So many letters may be wrong, missing or too many in a name that was meant for another. */
const slipsMax = 2;

/**
 * Names in an environment that look like settings and are none, each with the setting that it may be meant for, where one is close:
 * `MERLON_THREAD (MERLON_THREADS?)`. Their values, which may be secrets, are not looked at.
 */
export function unknownSettings(env: NodeJS.ProcessEnv = process.env): readonly string[] {
  return Object.keys(env)
    .filter(
      (name) => name.startsWith('MERLON_') && !settingNames.some((known) => known === name) && !injected.test(name),
    )
    .sort()
    .map((name) => {
      const close = closest(name);
      return close === undefined ? name : `${name} (${close}?)`;
    });
}

function closest(name: string): string | undefined {
  const [best] = settingNames
    .map((known) => {
      const isPart = name.startsWith(`${known}_`) || known.startsWith(`${name}_`);
      return { known, slips: Math.min(slipsBetween(name, known), isPart ? slipsMax : Number.POSITIVE_INFINITY) };
    })
    .filter(({ slips }) => slips <= slipsMax)
    .sort((a, b) => a.slips - b.slips);
  return best?.known;
}

/** Levenshtein's distance: the fewest letters to change, add or leave out that make one text the other. */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(row[j] + (a[i] === b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1));
    }
    row = next;
  }
  return row[b.length];
}
