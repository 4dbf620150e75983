import { pageClasses } from './automaton.js';

/** Rows of next states, by number. Rows share the pages in which they are equal: a page is copied when it is first changed. */
export class RowTable {
  /** Rows so far. */
  count = 0;
  readonly classCount: number;
  readonly pagesOfRow: number;
  /** Page of each stretch of classes, row after row. */
  private pages: Int32Array = new Int32Array(1_024);
  /** Which row a page was made for. */
  private owners: Int32Array = new Int32Array(64);
  private pageCount = 1;
  /** Next state for each class, page after page. Page 0 is that of the empty row. */
  private cells: Int32Array = new Int32Array(64 * pageClasses);

  constructor(classCount: number) {
    this.classCount = classCount;
    this.pagesOfRow = Math.ceil(classCount / pageClasses);
    this.owners[0] = -1;
  }

  /** Adds a row that leads to state 0 everywhere, and gives its number. */
  addEmpty(): number {
    this.pages = withRoom(this.pages, (this.count + 1) * this.pagesOfRow);
    return this.count++;
  }

  /** Adds a row that is equal to another one. */
  addCopy(row: number): number {
    const added = this.addEmpty();
    const from = row * this.pagesOfRow;
    this.pages.copyWithin(added * this.pagesOfRow, from, from + this.pagesOfRow);
    return added;
  }

  get(row: number, unitClass: number): number {
    const page = this.pages[row * this.pagesOfRow + Math.floor(unitClass / pageClasses)];
    return this.cells[page * pageClasses + (unitClass % pageClasses)];
  }

  set(row: number, unitClass: number, state: number): void {
    const at = row * this.pagesOfRow + Math.floor(unitClass / pageClasses);
    if (this.owners[this.pages[at]] !== row) this.pages[at] = this.copyPage(this.pages[at], row);
    this.cells[this.pages[at] * pageClasses + (unitClass % pageClasses)] = state;
  }

  /** Bytes of all pages. */
  get pageBytes(): number {
    return this.pageCount * pageClasses * 4;
  }

  /**
   * Writes a row: the next states, or the addresses of its pages, which begin at `pagesAt`.
   * @param states the address of each state
   */
  write(row: number, states: Int32Array, pagesAt: number | undefined, words: Int32Array, at: number): void {
    const { classCount, pagesOfRow, pages } = this;
    if (pagesAt === undefined) {
      for (let unitClass = 0; unitClass < classCount; unitClass++)
        words[at + unitClass] = states[this.get(row, unitClass)];
      return;
    }
    for (let page = 0; page < pagesOfRow; page++) {
      words[at + page] = pagesAt + pages[row * pagesOfRow + page] * pageClasses * 4;
    }
  }

  writePages(states: Int32Array, words: Int32Array, at: number): void {
    const { cells, pageCount } = this;
    for (let cell = 0; cell < pageCount * pageClasses; cell++) words[at + cell] = states[cells[cell]];
  }

  private copyPage(page: number, owner: number): number {
    const added = this.pageCount++;
    this.owners = withRoom(this.owners, this.pageCount);
    this.owners[added] = owner;
    this.cells = withRoom(this.cells, this.pageCount * pageClasses);
    this.cells.copyWithin(added * pageClasses, page * pageClasses, (page + 1) * pageClasses);
    return added;
  }
}

/** The same words with room for so many. */
function withRoom(words: Int32Array, length: number): Int32Array {
  if (length <= words.length) return words;
  const larger = new Int32Array(Math.max(length, words.length * 2));
  larger.set(words);
  return larger;
}
