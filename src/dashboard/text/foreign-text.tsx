import { escapeOf, splitHidden } from './hidden-characters.js';
import { cutText, shownUnitsMax } from './segments.js';

/** Longest name, label or the like that is shown in one line. */
const lineUnitsMax = 300;
/** A word that may be broken wherever the line ends: shorter ones are not, so that a narrow column does not cut them. */
const longWord = /\S{30}/;

/**
 * Text from elsewhere in one line — a name, a label, an id: kept from changing the order of what stands beside it, its
 * hidden characters written out, and cut when it is long.
 */
export function Foreign({ text, max = lineUnitsMax, ltr = false, prose = false }: ForeignProps) {
  const shown = cutText(text, max);
  return (
    <bdi class={longWord.test(text) ? 'foreign long' : 'foreign'} dir={ltr ? 'ltr' : undefined}>
      {prose ? <Prose text={shown} /> : <Pieces text={shown} />}
      {text.length > max && <span class="cut"> … {(text.length - shown.length).toLocaleString()} more</span>}
    </bdi>
  );
}

interface ForeignProps {
  readonly text: string;
  readonly max?: number;
  /** For addresses and the like, whose parts mean something by their order, whatever script they are in. */
  readonly ltr?: boolean;
  /** Sentences, in which what stands between backticks is code. */
  readonly prose?: boolean;
}

function Prose({ text }: { readonly text: string }) {
  const parts = text.split(/`([^`]+)`/);
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 0 ? (
          <Pieces key={at} text={part} />
        ) : (
          <code key={at}>
            <Pieces text={part} />
          </code>
        ),
      )}
    </>
  );
}

/** Text with its hidden characters written out, within an element that isolates it. */
export function Pieces({ text }: { readonly text: string }) {
  return (
    <>
      {splitHidden(cutText(text, shownUnitsMax)).map((piece, at) =>
        piece.hidden === undefined ? (
          piece.text
        ) : (
          <span key={at} class="hidden-character" title={piece.hidden}>
            {escapeOf(piece.text)}
          </span>
        ),
      )}
    </>
  );
}
