import { pageClasses } from './automaton.js';

/** Rows of next states, by number. Rows share the pages in which they are equal: a page is copied when it is first changed. */
export class RowTable {
  /** Rows so far. */
  count = 0;
  private readonly classCount: number;
  private readonly pagesOfRow: number;
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

  /**
   * Lays the rows out from an address on, whole or paged.
   * @param stateAt the address of a state
   * @returns the address of each row, and the words of all
   */
  lay(
    address: number,
    isPaged: boolean,
    stateAt: (state: number) => number,
  ): { starts: Int32Array; table: Int32Array } {
    const { count, classCount, pagesOfRow, pages, cells, pageCount } = this;
    const starts = new Int32Array(count);
    if (!isPaged) {
      const table = new Int32Array(count * classCount);
      for (let row = 0; row < count; row++) {
        starts[row] = address + row * classCount * 4;
        for (let unitClass = 0; unitClass < classCount; unitClass++) {
          table[row * classCount + unitClass] = stateAt(this.get(row, unitClass));
        }
      }
      return { starts, table };
    }
    const cellCount = pageCount * pageClasses;
    const table = new Int32Array(cellCount + count * pagesOfRow);
    for (let cell = 0; cell < cellCount; cell++) table[cell] = stateAt(cells[cell]);
    for (let row = 0; row < count; row++) {
      const at = cellCount + row * pagesOfRow;
      starts[row] = address + at * 4;
      for (let page = 0; page < pagesOfRow; page++) {
        table[at + page] = address + pages[row * pagesOfRow + page] * pageClasses * 4;
      }
    }
    return { starts, table };
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
