import { invalidInput } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import { wholeAt } from '../domain/surrogates.js';

/** A text that is scanned while it comes, such as what a model says. */
export interface TextStream<Body> {
  /**
   * Takes what comes next. Scans all that has come once there is enough that no scan has seen, on the calling thread. Throws
   * `GuardError` where the piece is no string or the stream has ended, and what a scan throws.
   */
  add(piece: string): StreamStep<Body>;
  /** Scans all that has come for the last time: it passes what was held back, or is flagged. Asked again, it says the same but for the text. */
  end(): StreamStep<Body>;
}

export interface StreamStep<Body> {
  /** Once true it stays so: nothing is scanned and nothing passes any more. */
  readonly flagged: boolean;
  /** What may be passed on now; often empty. Together these are the text, in its order. */
  readonly text: string;
  /** What the latest scan says of all that had come, spans included; undefined before there was one. */
  readonly body: Body | undefined;
}

/** For each unit that a scan has seen before, so much of one that is new: no unit is scanned more often than some 17 times. */
const newShare = 1 / 16;

/**
 * Scans a text that grows, so that pieces may end anywhere, also within what is looked for. `heldBack` UTF-16 units at its end do
 * not pass before there is more behind them or the text ends, for they may be the beginning of something. While the latest scan
 * flags, nothing passes; the text is flagged if that is still so some units later or in the end, because the beginning of a
 * harmless text may look worse than all of it.
 */
export function createTextStream<Body extends { readonly flagged: boolean }>(
  scan: (text: string) => Body,
  heldBack: number = limits.streamHeldBackUnits,
): TextStream<Body> {
  let text = '';
  let scanned = 0;
  let passed = 0;
  let body: Body | undefined;
  /** How much was scanned when scans began to flag. */
  let suspectedAt: number | undefined;
  let isEnded = false;
  let isFlagged = false;

  const scanAll = () => {
    body = scan(text);
    scanned = text.length;
    suspectedAt = body.flagged ? (suspectedAt ?? scanned) : undefined;
    isFlagged = suspectedAt !== undefined && (isEnded || scanned - suspectedAt >= limits.streamConfirmUnits);
  };
  const pass = (until: number): string => {
    const from = passed;
    if (suspectedAt === undefined) passed = Math.max(passed, wholeAt(text, until));
    return text.slice(from, passed);
  };
  return {
    add: (piece) => {
      if (typeof piece !== 'string') throw invalidInput([{ pointer: '/piece', message: 'must be a string' }]);
      if (isEnded) throw invalidInput([{ pointer: '/piece', message: 'comes behind the end of the stream' }]);
      if (isFlagged) return { flagged: true, text: '', body };
      text += piece;
      if (text.length - scanned >= Math.max(limits.streamStepUnits, scanned * newShare)) scanAll();
      return { flagged: isFlagged, text: pass(scanned - heldBack), body };
    },
    end: () => {
      if (!isEnded) {
        isEnded = true;
        if (!isFlagged) scanAll();
      }
      return { flagged: isFlagged, text: pass(text.length), body };
    },
  };
}
