import { useEffect, useState } from 'preact/hooks';
import { queryString } from '../client.js';
import { policyCodes, policyNames } from '../policies.js';
import { href, navigate } from '../router.js';
import { plainText } from '../text/hidden-characters.js';
import { Field } from '../ui/field.js';
import { FilterInput } from '../ui/filter-input.js';
import { focusHeading } from '../ui/page-head.js';
import type { Application } from '../wire.js';

interface Props {
  readonly query: URLSearchParams;
  readonly applications: readonly Application[];
}

const texts = ['project', 'scan'] as const;
const choices = ['app', 'policy', 'flagged'] as const;
const times = ['from', 'to'] as const;
/** As in the style sheet. */
const wide = '(min-width: 48.01rem)';

/** Filters of the scans; what is chosen goes into the address at once, what is typed on Enter. */
export function ScanFilters({ query, applications }: Props) {
  const apply = (form: HTMLFormElement) => {
    const given = new FormData(form);
    // Blanks at the ends are slips of the hand; those of a name that a link brought belong to it.
    const text = (name: string) => {
      const value = String(given.get(name) ?? '');
      return value === query.get(name) ? value : value.trim();
    };
    const filters = Object.fromEntries([
      ...[...texts, ...choices].map((name) => [name, text(name)]),
      ...times.map((name) => [name, isoOf(text(name))]),
    ]);
    navigate(`${href('scans')}${queryString(filters)}`);
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (event.currentTarget instanceof HTMLFormElement) apply(event.currentTarget);
  };
  const onChange = (event: Event) => {
    const { target } = event;
    if (target instanceof HTMLSelectElement && target.form) apply(target.form);
  };
  const active = [...query.keys()].some((name) => name !== 'cursor');
  const isWide = useWide();
  return (
    <details class="filter-box" open={isWide || active}>
      <summary>Filters</summary>
      <form class="filters" aria-label="Filters" onSubmit={onSubmit}>
        <Field label="Verdict">
          {(control) => (
            <select {...control} name="flagged" onChange={onChange} value={query.get('flagged') ?? ''}>
              <option value="">All</option>
              <option value="true">Flagged</option>
              <option value="false">Clean</option>
            </select>
          )}
        </Field>
        <Field label="Policy" class="two">
          {(control) => (
            <select {...control} name="policy" onChange={onChange} value={query.get('policy') ?? ''}>
              <option value="">All</option>
              {policyCodes.map((code) => (
                <option key={code} value={code}>
                  {code} {policyNames[code]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Application">
          {(control) => (
            <select {...control} name="app" onChange={onChange} value={query.get('app') ?? ''}>
              <option value="">All</option>
              {applications.map(({ id, name }) => (
                <option key={id} value={id}>
                  {plainText(name)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Project">
          {(control) => <FilterInput {...control} name="project" maxLength={128} query={query} />}
        </Field>
        <Field label="From">
          {(control) => <FilterInput {...control} type="datetime-local" name="from" query={query} show={localOf} />}
        </Field>
        <Field label="Before">
          {(control) => <FilterInput {...control} type="datetime-local" name="to" query={query} show={localOf} />}
        </Field>
        <Field label="Scan id">
          {(control) => <FilterInput {...control} name="scan" placeholder="scan_…" spellcheck={false} query={query} />}
        </Field>
        <div class="actions">
          <button type="submit">Apply</button>
          {active && (
            <a class="button plain" href={href('scans')} onClick={focusHeading}>
              Clear
            </a>
          )}
        </div>
      </form>
    </details>
  );
}

/** Whether the page has room for the filters beside one another. */
function useWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(wide).matches);
  useEffect(() => {
    const media = matchMedia(wide);
    const read = () => setWide(media.matches);
    media.addEventListener('change', read);
    return () => media.removeEventListener('change', read);
  }, []);
  return isWide;
}

/** Local time of a form as UTC for the service; nothing where it is not a time. */
function isoOf(local: string): string {
  const time = Date.parse(local);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

/** UTC as a form's field for local time wants it. */
function localOf(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return '';
  const shifted = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
