import { foldTable, spaceUnit } from '../text/fold.js';
import {
  type Alphabet,
  type Automaton,
  fieldWords,
  reportsFlag,
  sparseFlag,
  specialFlag,
  tableAddress,
} from './automaton.js';
import { buildTrie, type Trie } from './trie.js';

/** Rows up to this many bytes in all: more would push the ones in use out of the cache. */
const rowBytesMax = 8 * 1024 * 1024;

/** The automata of a program's needles, one after the other in one table. */
export interface Automata {
  readonly list: readonly Automaton[];
  readonly words: Int32Array;
}

/**
 * Builds the automata for needles that are folded, collapsed, trimmed and pairwise different; a needle's place in
 * the list is its number. Cost: sorting the needles, and linear in their total length and in the size of the table.
 */
export function buildAutomata(needles: readonly string[], rowBytes: number = rowBytesMax): Automata {
  const numbers = Array.from(needles.keys());
  const isAscii = (number: number) => asciiOnly.test(needles[number]);
  const tables: [Alphabet, readonly number[]][] = [
    ['ascii', numbers.filter(isAscii)],
    ['beyond', numbers.filter((number) => !isAscii(number))],
  ];
  const list: Omit<Automaton, 'words'>[] = [];
  const parts: Int32Array[] = [];
  let address = tableAddress;
  for (const [alphabet, own] of tables) {
    if (own.length === 0) continue;
    const { table, ...automaton } = buildAutomaton(needles, own, rowBytes, address);
    list.push({ ...automaton, alphabet });
    parts.push(table);
    address += table.byteLength;
  }
  const words = new Int32Array(address / 4);
  let at = tableAddress / 4;
  for (const part of parts) {
    words.set(part, at);
    at += part.length;
  }
  return { list: list.map((automaton) => ({ ...automaton, words })), words };
}

/** Of each needle: its collapsed units << 1, and 1 where it has white space in it. */
export function needleLengths(needles: readonly string[]): Int32Array {
  return Int32Array.from(needles, (needle) => (needle.length << 1) | (needle.includes(' ') ? 1 : 0));
}

const asciiOnly = /^[\0-\x7f]*$/;

function buildAutomaton(needles: readonly string[], own: readonly number[], rowBytes: number, address: number) {
  const { classes, classCount, spaceClass } = classify(own.map((number) => needles[number]));
  const trie = buildTrie(needles, own, classes);
  const rowWords = classCount + fieldWords;
  const rowCount = Math.max(1, Math.min(trie.count, Math.floor(rowBytes / (rowWords * 4))));
  const plan: Plan = { trie, classCount, rowWords, rowCount, spaceClass, address };
  return {
    classCount,
    stateCount: trie.count,
    rowCount,
    classes,
    spaceClass,
    root: address + fieldWords * 4,
    table: layTable(plan, linkSuffixes(plan)),
  };
}

interface Plan {
  readonly trie: Trie;
  readonly classCount: number;
  readonly rowWords: number;
  readonly rowCount: number;
  readonly spaceClass: number;
  /** Where the table begins. */
  readonly address: number;
}

interface Links {
  /** Longest proper suffix of each state that is a state. */
  readonly suffix: Int32Array;
  /** Nearest suffix in which a needle ends, or 0. */
  readonly suffixHit: Int32Array;
  /** Next state of the states that are rows, by class. */
  readonly rows: Int32Array;
}

/** Commonest units of English text first, so that the columns in use share cache lines (order: Lewand 2000). */
const commonUnits = ' etaoinshrdlcumwfgypbvk.,';

/** Numbers the units that occur in needles. Classes are multiples of 4: offsets in a row. */
function classify(needles: readonly string[]): { classes: Uint16Array; classCount: number; spaceClass: number } {
  const occurs = new Uint8Array(0x10000);
  for (const needle of needles) for (let i = 0; i < needle.length; i++) occurs[needle.charCodeAt(i)] = 1;
  const classOf = new Uint16Array(0x10000);
  let classCount = 1;
  const number = (unit: number) => {
    if (occurs[unit] === 1 && classOf[unit] === 0) classOf[unit] = classCount++ * 4;
  };
  for (let i = 0; i < commonUnits.length; i++) number(commonUnits.charCodeAt(i));
  for (let unit = 0; unit < 0x10000; unit++) number(unit);
  const classes = new Uint16Array(0x10000);
  for (let unit = 0; unit < 0x10000; unit++) classes[unit] = classOf[foldTable[unit]];
  return { classes, classCount, spaceClass: classOf[spaceUnit] };
}

function linkSuffixes({ trie, classCount, rowCount }: Plan): Links {
  const { count, firstChild, lastClass, needleOf } = trie;
  const suffix = new Int32Array(count);
  const suffixHit = new Int32Array(count);
  const rows = new Int32Array(rowCount * classCount);
  for (let state = 0; state < count; state++) {
    const fallback = suffix[state];
    if (state > 0) suffixHit[state] = needleOf[fallback] >= 0 ? fallback : suffixHit[fallback];
    for (let child = firstChild[state]; child < firstChild[state + 1]; child++) {
      if (state > 0) suffix[child] = next(fallback, lastClass[child]);
    }
    if (state >= rowCount) continue;
    const row = state * classCount;
    if (state > 0) rows.copyWithin(row, fallback * classCount, (fallback + 1) * classCount);
    for (let child = firstChild[state]; child < firstChild[state + 1]; child++)
      rows[row + lastClass[child] / 4] = child;
  }
  return { suffix, suffixHit, rows };

  /** Where a state goes on a class; a row knows, a record's children are few. */
  function next(from: number, unitClass: number): number {
    let state = from;
    for (; state >= rowCount; state = suffix[state]) {
      for (let child = firstChild[state]; child < firstChild[state + 1]; child++) {
        if (lastClass[child] === unitClass) return child;
      }
    }
    return rows[state * classCount + unitClass / 4];
  }
}

function layTable({ trie, classCount, rowWords, rowCount, spaceClass, address }: Plan, links: Links): Int32Array {
  const { count, firstChild, lastClass, depth, needleOf } = trie;
  const { suffix, suffixHit, rows } = links;
  const isLoop = (state: number) => spaceClass > 0 && lastClass[state] === spaceClass;
  const edgesOf = (state: number) => firstChild[state + 1] - firstChild[state] + (isLoop(state) ? 1 : 0);

  const states = new Int32Array(count);
  let end = rowCount * rowWords;
  for (let state = 0; state < count; state++) {
    const isRow = state < rowCount;
    const reports = needleOf[state] >= 0 || suffixHit[state] > 0;
    const at = address + (isRow ? state * rowWords + fieldWords : end) * 4;
    const flags = (isRow ? 0 : sparseFlag) | (reports ? reportsFlag : 0);
    states[state] = at | flags | (flags === 0 ? 0 : specialFlag);
    if (!isRow) end += 2 + (reports ? 2 : 0) + 2 * edgesOf(state);
  }
  const words = new Int32Array(end);
  const hitOf = (state: number) => (suffixHit[state] === 0 ? 0 : states[suffixHit[state]]);
  for (let state = 0; state < rowCount; state++) {
    const row = state * rowWords;
    words[row] = depth[state];
    words[row + 1] = needleOf[state];
    words[row + 2] = hitOf(state);
    const next = row + fieldWords;
    for (let column = 0; column < classCount; column++) {
      words[next + column] = states[rows[state * classCount + column]];
    }
    // No needle ends in white space, so the state that loops here never reports.
    if (isLoop(state)) words[next + spaceClass / 4] = states[state];
  }
  let at = rowCount * rowWords;
  for (let state = rowCount; state < count; state++) {
    words[at++] = depth[state] | (edgesOf(state) << 16);
    words[at++] = states[suffix[state]];
    if ((states[state] & reportsFlag) !== 0) {
      words[at++] = needleOf[state];
      words[at++] = hitOf(state);
    }
    for (let child = firstChild[state]; child < firstChild[state + 1]; child++) {
      words[at++] = lastClass[child];
      words[at++] = states[child];
    }
    if (isLoop(state)) {
      words[at++] = spaceClass;
      words[at++] = states[state];
    }
  }
  return words;
}
