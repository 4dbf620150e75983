import { useEffect, useState } from 'preact/hooks';

const saidMs = 2_000;

/** Puts a text into the clipboard and says whether that worked. */
export function CopyButton({ text, name }: { readonly text: string; readonly name: string }) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), saidMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () => {
    // Browsers offer it on https and localhost only.
    (navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setSaid('Copied'),
      () => setSaid('Select and copy it yourself'),
    );
  };
  return (
    <button type="button" class="small" aria-label={`Copy ${name}`} onClick={copy}>
      <span aria-live="polite">{said ?? 'Copy'}</span>
    </button>
  );
}

/** A text to be taken away whole, with its copy button. */
export function CopyBlock({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <div class="copy-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section class="copy-text" aria-label={name} tabIndex={0}>
        <pre>{text}</pre>
      </section>
      <CopyButton text={text} name={name} />
    </div>
  );
}
