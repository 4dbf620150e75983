import type { Matches } from '../collector.js';
import { beginText, createDesk, runInWindows, runUngated } from '../match-steps.js';
import type { Scanner } from '../scanner.js';
import {
  type FoundMatch,
  type FoundMatches,
  joinViews,
  matchViewsApart,
  type ViewMatches,
} from '../view/match-views.js';
import { type PlanItem, planItems } from './plan.js';
import { eachHit, HitRecorder } from './recorder.js';
import { type TextShare, viewsItem } from './shared-text.js';

/**
 * One thread's part in sharded scans. Both ways of taking part do a piece of work at each step, and may be left after
 * any step: nothing that was claimed is then unfinished.
 */
export interface Sharder {
  /** Does what is left to do of a text that another thread leads; tells that thread what it finds. */
  help(share: TextShare, role: number, rules: Uint8Array): Generator<void, void>;
  /**
   * Does what is left to do of a text, waits for what the helpers have begun, and gives what `matchViews` gives of the
   * text. Throws `ShardLostError` when a helper was lost.
   */
  lead(share: TextShare, role: number, rules: Uint8Array): Generator<void, FoundMatches>;
}

export function createSharder(scanner: Scanner): Sharder {
  const { program, machinery } = scanner;
  const { searcher } = machinery;
  // Its own desk, because views use the scanner's while a text is under way.
  const desk = createDesk(machinery);
  const { collector, board, sink } = desk;
  const recorder = new HitRecorder(program.patterns);

  function* searchCells(share: TextShare): Generator<void, void> {
    for (let cell = share.claimCell(); cell >= 0; cell = share.claimCell()) {
      share.keepHits(cell, (take) => searcher.searchCell(share.text, cell, take));
      yield;
    }
  }

  /** Every thread reads all hits, in order: the boards, and so the plans, are the same. */
  function plan(share: TextShare, role: number, rules: Uint8Array): readonly PlanItem[] {
    beginText(desk, share.text, role, rules);
    for (let cell = 0; cell < share.cells; cell++) {
      const hits = share.hitsOf(cell);
      if (!hits) searcher.searchCell(share.text, cell, sink);
      else for (let i = 0; i < hits.length; i += 2) sink(hits[i], hits[i + 1]);
    }
    return planItems(board);
  }

  function run(text: string, item: PlanItem): readonly number[] {
    recorder.begin(text);
    if (item === 'ungated') runUngated(machinery, collector, recorder);
    else {
      for (const { pattern, windows, from, to } of item) {
        if (!runInWindows(machinery, recorder, pattern, windows, from, to)) recorder.markWhole(pattern);
      }
    }
    return recorder.end();
  }

  function* runItems(share: TextShare, items: readonly PlanItem[]): Generator<void, void> {
    for (let item = share.claimItem(items.length); item >= 0; item = share.claimItem(items.length)) {
      share.keepResult(item, run(share.text, items[item]));
      yield;
    }
  }

  function* matchApart(share: TextShare, role: number, rules: Uint8Array): Generator<void, void> {
    if (!share.claimViews()) return;
    share.keepResult(viewsItem, wordsOfViews(matchViewsApart(scanner, share.text, role, rules)));
    yield;
  }

  function gather(share: TextShare, items: readonly PlanItem[]): Matches {
    const voided = new Set<number>();
    // The patterns without a gate come first in the plan, because they take long, and last in the order of one thread.
    for (const item of [...items.keys()].slice(1).concat(0)) {
      eachHit(share.resultOf(item) ?? run(share.text, items[item]), voided, (pattern, start, end) => {
        collector.add(program.patterns[pattern].rule, start, end);
      });
    }
    return collector.result();
  }

  return {
    *help(share, role, rules) {
      // Views first: they need nothing but the text and cannot be cut.
      yield* matchApart(share, role, rules);
      yield* searchCells(share);
      // To search all of a flood anew would cost more than what help with the rest gains.
      if (!share.isFlooded) yield* runItems(share, plan(share, role, rules));
    },
    *lead(share, role, rules) {
      yield* searchCells(share);
      const items = plan(share, role, rules);
      yield* runItems(share, items);
      yield* matchApart(share, role, rules);
      const raw = gather(share, items);
      const words = share.resultOf(viewsItem);
      return joinViews(raw, words ? viewsOfWords(words) : matchViewsApart(scanner, share.text, role, rules));
    },
  };
}

const scoreUnits = 10_000;

/** Whether it is truncated; then rule, start, end, views and score, in ten thousandths, of each match. */
function wordsOfViews({ list, truncated }: ViewMatches): readonly number[] {
  return [
    truncated ? 1 : 0,
    ...list.flatMap(({ rule, start, end, via, score }) => [
      rule,
      start,
      end,
      via ?? 0,
      Math.round((score ?? 0) * scoreUnits),
    ]),
  ];
}

function viewsOfWords(words: Int32Array): ViewMatches {
  const list: FoundMatch[] = [];
  for (let i = 1; i < words.length; i += 5) {
    const [rule, start, end, via, score] = words.subarray(i, i + 5);
    list.push({
      ...{ rule, start, end },
      ...(via === 0 ? {} : { via }),
      ...(score === 0 ? {} : { score: score / scoreUnits }),
    });
  }
  return { list, truncated: words[0] === 1 };
}
