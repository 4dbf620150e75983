import { findRepetition } from '../../dist/engine/detect/repetition.js';
import { findTokenSalad } from '../../dist/engine/detect/token-salad.js';
import { createLearnedRules } from '../../dist/engine/learned/learned-rules.js';
import { beginText, createDesk, runInWindows, runUngated } from '../../dist/engine/match-steps.js';
import { roleClasses } from '../../dist/engine/program.js';
import { createScanner } from '../../dist/engine/scanner.js';
import { createGate } from '../../dist/engine/view/gate.js';
import { createSpeller } from '../../dist/engine/view/speller.js';
import { foreignPlace, noReason, reason } from '../../dist/engine/view/survey.js';
import { rootView } from '../../dist/engine/view/view.js';
import { eachView } from '../../dist/engine/view/views.js';
import { quantile } from './measure.mjs';

const { user } = roleClasses;

/**
 * Where the time of a full scan goes: its parts one after the other over every text, as a scan runs them, so that each meets
 * the caches as it would. Microseconds a text, of the best of some rounds.
 * @returns {{ part: string, p50us: number, meanUs: number, share: number }[]} `share`: of the texts, that the part is for
 */
export function measureParts({ program }, profile, corpus, rounds) {
  const scanner = createScanner(program);
  const { machinery } = scanner;
  const desk = createDesk(machinery);
  const { searcher } = machinery;
  const learned = createLearnedRules(program, searcher);
  const viewer = {
    gate: createGate(searcher.room),
    vocabulary: new Set(program.words.vocabulary),
    speller: createSpeller(program.words),
  };
  /** @type {readonly number[]} */
  let strange = [];
  /** @type {import('../../dist/engine/view/survey.js').Survey} */
  let survey = { reasons: 0, places: [] };
  const always = () => true;
  const match = (view) => {
    scanner.match(view.text, user, profile.rules);
    return [];
  };
  /** @type {{ part: string, is: (text: string) => boolean, run: (text: string) => void }[]} */
  const parts = [
    {
      part: 'search',
      is: always,
      run: (text) => {
        beginText(desk, text, user, profile.rules);
        machinery.searcher.search(text, user, desk.sink);
      },
    },
    {
      part: 'windows and regexes',
      is: () => desk.board.openPatterns.length > 0,
      run: () => {
        for (const index of desk.board.openPatterns) {
          const windows = desk.board.windowsOf(index);
          runInWindows(machinery, desk.collector, index, windows, 0, windows.length);
        }
        runUngated(machinery, desk.collector, desk.collector);
      },
    },
    {
      part: 'gate of the views',
      is: always,
      run: (text) => {
        survey = viewer.gate(text);
      },
    },
    {
      part: 'learned model',
      is: always,
      run: (text) => {
        strange = learned?.match(text, user, profile.rules).strange ?? [];
      },
    },
    { part: 'repetition', is: always, run: (text) => findRepetition(text) },
    { part: 'token salad', is: always, run: (text) => findTokenSalad(text) },
    ...Object.entries(reason).map(([name, bit]) => ({
      part: `view: ${name}`,
      is: () => (survey.reasons & bit) !== 0,
      run: (text) =>
        eachView(viewer, rootView(text), { ...survey, reasons: survey.reasons & (bit | foreignPlace) }, [], match),
    })),
    {
      part: 'view: spelling',
      is: () => strange.length > 0,
      run: (text) => eachView(viewer, rootView(text), noReason, strange, match),
    },
  ];
  const best = parts.map(() => new Float64Array(corpus.texts.length).fill(Number.POSITIVE_INFINITY));
  const asked = parts.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    corpus.texts.forEach((text, place) => {
      parts.forEach(({ is, run }, index) => {
        if (!is(text)) return;
        if (round === 0) asked[index]++;
        const began = process.hrtime.bigint();
        run(text);
        best[index][place] = Math.min(best[index][place], Number(process.hrtime.bigint() - began) / 1_000);
      });
    });
  }
  return parts.map(({ part }, index) => {
    const times = [...best[index]].filter(Number.isFinite);
    const sum = times.reduce((all, time) => all + time, 0);
    return {
      part,
      share: asked[index] / corpus.texts.length,
      p50us: times.length === 0 ? 0 : quantile(times, 0.5),
      meanUs: sum / corpus.texts.length,
    };
  });
}
