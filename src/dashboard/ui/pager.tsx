import { queryString } from '../client.js';
import { href, isStepWithin, navigate } from '../router.js';
import { focusHeading } from './page-head.js';
import { Empty } from './states.js';

interface Props {
  /** What is read page by page. */
  readonly label: string;
  /** Path of its page. */
  readonly path: string;
  /** Its filters, and the cursor of the page that is shown, where that is not the first. */
  readonly query: URLSearchParams;
  readonly next: string | null;
  /** What the way to the first page and to the next is called. */
  readonly words: { readonly first: string; readonly next: string };
}

/** The way to the other pages of a list. It vanishes while the next page is loaded, so the heading takes the focus. */
export function Pager({ label, path, query, next, words }: Props) {
  const at = (cursor: string) => `${href(path)}${queryString({ ...Object.fromEntries(query), cursor })}`;
  const goTo = (go: () => void) => () => {
    go();
    focusHeading();
    scrollTo({ top: 0 });
  };
  return (
    <nav class="pager" aria-label={label}>
      {query.has('cursor') && (
        <>
          <a href={at('')} onClick={focusHeading}>
            {words.first}
          </a>
          {isStepWithin() && (
            <button type="button" onClick={goTo(() => history.back())}>
              Back
            </button>
          )}
        </>
      )}
      {next !== null && (
        <button type="button" onClick={goTo(() => navigate(at(next)))}>
          {words.next}
        </button>
      )}
    </nav>
  );
}

/** Stands for a page without a row that is not the last: the service looks at so much for one answer. */
export function NoneSoFar() {
  return (
    <Empty title="None was found so far.">
      <p>What is older was not looked at yet.</p>
    </Empty>
  );
}
