import { hash, randomBytes } from 'node:crypto';
import type { FoundMatches } from '../view/match-views.js';
import type { MessageMatcher } from './judge.js';

/*
 * A conversation is sent again with each of its turns, and a system prompt with every request. A message in which nothing was
 * found is clean under the same rules for ever, so it need not be scanned again.
 *
 * What is kept of it is half of a SHA-256 over a secret of the process, who asked, what judged, the role and the text: no text,
 * and nothing from which anybody could work one out, or find an attack that has the name of something clean. Who asked
 * is part of it, so that no organization can learn by the clock what another one has sent.
 */

/** A memory as plain data and shared memory, for other threads. */
export interface RecallParts {
  readonly table: Int32Array;
  readonly secret: string;
}

/** Which messages were clean. All threads share one; each opens it for itself. */
export interface Recall {
  readonly parts: RecallParts;
  /**
   * Matches as `match` does, but not what is known to be clean; and comes to know what is. `scope` names who asks and what
   * judges: rules, profile, model. Cost: 1 µs for 500 characters, 13 for 8,000; a scan is some twenty times that.
   */
  over(scope: string, match: MessageMatcher): RecallingMatcher;
}

/** A matcher for one scan. */
export interface RecallingMatcher {
  readonly match: MessageMatcher;
  /** True if nothing was found in the text before, under the scope and for this role class. `match` need not reckon its name again. */
  knows(text: string, role: number, messageId: number): boolean;
  /** Messages so far that were known. */
  readonly recalled: number;
}

/** Each name has four words and a place among the four of its bucket, which is one cache line. */
const wordsPerName = 4;
const wordsPerBucket = 16;

/** Room for so many names, rounded up to a power of two: 16 bytes each, of which memory is taken as it is written. */
export function createRecallParts(messages: number): RecallParts {
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(1, (messages * wordsPerName) / wordsPerBucket)));
  const bytes = buckets * wordsPerBucket * Int32Array.BYTES_PER_ELEMENT;
  return { table: new Int32Array(new SharedArrayBuffer(bytes)), secret: randomBytes(16).toString('hex') };
}

export function openRecall(parts: RecallParts): Recall {
  const { table, secret } = parts;
  const bucketMask = table.length / wordsPerBucket - 1;

  /**
   * A name found goes to the front, a new one pushes out the last. Two threads at one bucket may lose a name or leave a mixture
   * of two, which is no text's name.
   */
  const toFront = (bucket: number, place: number, name: string): void => {
    table.copyWithin(bucket + wordsPerName, bucket, bucket + place * wordsPerName);
    for (let word = 0; word < wordsPerName; word++) table[bucket + word] = wordOf(name, word);
  };
  const bucketOf = (name: string) => (wordOf(name, wordsPerName) & bucketMask) * wordsPerBucket;
  const isAt = (at: number, name: string) => {
    for (let word = 0; word < wordsPerName; word++) if (table[at + word] !== wordOf(name, word)) return false;
    return true;
  };
  const has = (name: string): boolean => {
    const bucket = bucketOf(name);
    for (let place = 0; place < wordsPerBucket / wordsPerName; place++) {
      if (!isAt(bucket + place * wordsPerName, name)) continue;
      if (place > 0) toFront(bucket, place, name);
      return true;
    }
    return false;
  };
  const learn = (name: string): void => toFront(bucketOf(name), wordsPerBucket / wordsPerName - 1, name);
  const nameOf = (scope: string, role: number, text: string): string | undefined =>
    // Texts with halves of characters would share their names with others: UTF-8 has one spelling for all of them.
    text.isWellFormed() ? hash('sha256', `${secret} ${scope} ${role} ${text}`, 'binary') : undefined;

  const names = { nameOf, has, learn };
  return { parts, over: (scope, match) => new Recalling(names, scope, match) };
}

interface Names {
  nameOf(scope: string, role: number, text: string): string | undefined;
  has(name: string): boolean;
  learn(name: string): void;
}

/** A class, and not an object with functions and a getter of its own: there is one for each request. */
class Recalling implements RecallingMatcher {
  recalled = 0;
  private readonly memory: Names;
  private readonly scope: string;
  private readonly scan: MessageMatcher;
  /** By message, as far as they were asked for. */
  private names: (string | undefined)[] | undefined;

  constructor(memory: Names, scope: string, scan: MessageMatcher) {
    this.memory = memory;
    this.scope = scope;
    this.scan = scan;
  }

  knows(text: string, role: number, messageId: number): boolean {
    const name = this.memory.nameOf(this.scope, role, text);
    this.names ??= [];
    this.names[messageId] = name;
    return name !== undefined && this.memory.has(name);
  }

  readonly match: MessageMatcher = (text, role, messageId) => {
    const { memory } = this;
    const name = this.names?.[messageId] ?? memory.nameOf(this.scope, role, text);
    if (name !== undefined && memory.has(name)) {
      this.recalled++;
      return nothing;
    }
    const found = this.scan(text, role, messageId);
    if (name !== undefined && found.list.length === 0 && !found.truncated) memory.learn(name);
    return found;
  };
}

const nothing: FoundMatches = { list: [], truncated: false };

/** A word of 32 bits of bytes that are given as characters. */
function wordOf(bytes: string, word: number): number {
  const at = word * 4;
  return (
    bytes.charCodeAt(at) |
    (bytes.charCodeAt(at + 1) << 8) |
    (bytes.charCodeAt(at + 2) << 16) |
    (bytes.charCodeAt(at + 3) << 24)
  );
}
