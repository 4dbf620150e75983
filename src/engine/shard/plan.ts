import type { GateBoard } from '../regex/gate-board.js';
import { viewsItem } from './shared-text.js';

/** Some of the windows of an open pattern: pairs of bounds from `from` up to `to`. */
interface WindowRun {
  readonly pattern: number;
  readonly windows: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** What one thread does at a time: runs, or the patterns without a gate. */
export type PlanItem = readonly WindowRun[] | 'ungated';

/** What to call a regex costs, in units of text that it could have read instead. */
const callUnits = 200;
/** A smaller item costs more to share out than to do. */
const itemUnitsMin = 4_096;

/**
 * Shares out all that is to be run on a text, in the order of one thread: as many items of like cost as there is room
 * for. The same on every thread, because it knows nothing but the board. A pattern that reads the whole text is one
 * window, which is not cut.
 */
export function planItems(board: GateBoard): readonly PlanItem[] {
  const runs = board.openPatterns.map((pattern) => ({ pattern, windows: board.windowsOf(pattern) }));
  const total = runs.reduce((sum, { windows }) => sum + costOf(windows, 0, windows.length), 0);
  const enough = Math.max(itemUnitsMin, Math.ceil(total / (viewsItem - 2)));
  const items: PlanItem[] = ['ungated'];
  let item: WindowRun[] = [];
  let cost = 0;
  for (const { pattern, windows } of runs) {
    for (let from = 0; from < windows.length; ) {
      let to = from;
      while (to < windows.length && cost < enough) {
        cost += costOf(windows, to, to + 2);
        to += 2;
      }
      item.push({ pattern, windows, from, to });
      from = to;
      if (cost >= enough) {
        items.push(item);
        item = [];
        cost = 0;
      }
    }
  }
  if (item.length > 0) items.push(item);
  return items;
}

function costOf(windows: readonly number[], from: number, to: number): number {
  let cost = 0;
  for (let i = from; i < to; i += 2) cost += windows[i + 1] - windows[i] + callUnits;
  return cost;
}
