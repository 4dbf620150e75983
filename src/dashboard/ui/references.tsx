import { Foreign } from '../text/foreign-text.js';

/** Where a rule's reason can be read; only web addresses become links. */
export function References({ references }: { readonly references: readonly string[] }) {
  if (references.length === 0) return null;
  return (
    <ul class="references" aria-label="References">
      {references.map((reference) => (
        <li key={reference}>
          {/^https:\/\//.test(reference) ? (
            <a href={reference} target="_blank" rel="noreferrer noopener">
              <Foreign text={reference} max={120} />
            </a>
          ) : (
            <Foreign text={reference} max={120} />
          )}
        </li>
      ))}
    </ul>
  );
}
