import { limits } from '../domain/limits.js';
import type { BadLine } from '../eval/result.js';
import { note } from './terminal.js';

/** Lines of a file that could not be read. All are counted; the first ones are named, on standard error and here. */
export class BadLines {
  private all = 0;
  private readonly first: BadLine[] = [];

  get count(): number {
    return this.all;
  }

  get named(): readonly BadLine[] {
    return this.first;
  }

  add(file: string, line: number, error = ''): void {
    this.all++;
    if (this.all > limits.badLinesNamedMax) return;
    this.first.push({ file, line, error });
    note(`${file}:${line} ${error}`);
  }

  /** Says how many there were, if any, before anything else is said of the others; `done` as in "could not be read". */
  sumUp(done: string): void {
    if (this.all === 0) return;
    const unnamed = this.all - this.first.length;
    note(`${this.all} lines could not be ${done}${unnamed > 0 ? `, ${unnamed} of them are not named here` : ''}`);
  }
}
