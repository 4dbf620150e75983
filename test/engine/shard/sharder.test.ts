import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/domain/limits.js';
import { cellUnits, type Engine } from '../../../src/engine/automaton/searcher.js';
import { allRoles, type Program } from '../../../src/engine/program.js';
import { createScanner, type Scanner } from '../../../src/engine/scanner.js';
import { createSharder, type Sharder } from '../../../src/engine/shard/sharder.js';
import {
  callHelpersBack,
  endSharing,
  ShardLostError,
  shareText,
  TextShare,
} from '../../../src/engine/shard/shared-text.js';
import { type FoundMatches, matchViews } from '../../../src/engine/view/match-views.js';
import type { PatternSource } from '../../../src/rules/pack-schema.js';
import { expectSame } from '../../same.js';
import { programOf } from '../program-of.js';

/** Of all kinds that the steps of a scan tell apart. */
const patterns: readonly PatternSource[] = [
  { phrase: 'ignore all rules' },
  { phrase: 'ignore (all|the) [of] (rules|orders) [...2] now' },
  { regex: '\\bak(?:ia|ib)[0-9a]{2,4}\\b', ignore_case: true },
  { regex: 'from\\s+(?:the\\s+)?table\\b', ignore_case: true },
  { regex: '"[^"]{1,40}from[^"]{1,40}"' },
  { regex: 'begin[^!]*end!' },
  { regex: '[a-f]{3}[0-9]{2}[g-k]{3}' },
  { regex: '[k-z]{2}[A-Z]{2}' },
  { regex: '\\b\\d{4} \\d{4} \\d{4} \\d{4}\\b', validate: ['luhn'] },
  { regex: '(?:^|[^0-9])(?<hit>[14][0-9]{3})(?:[^0-9]|$)' },
  { regex: 'table$' },
  { regex: '^x' },
  { phrase: '中文' },
];
const everyRule = new Uint8Array(patterns.length).fill(1);

/** As many threads as a test asks for, all of one program. */
class Crew {
  readonly scanners: Scanner[] = [];
  private readonly sharders: Sharder[] = [];
  private readonly program: Program;
  private readonly engine: Engine;

  constructor(program: Program, engine: Engine = 'auto') {
    this.program = program;
    this.engine = engine;
    this.sharderOf(0);
  }

  sharderOf(place: number): Sharder {
    for (let next = this.sharders.length; next <= place; next++) {
      this.scanners[next] = createScanner(this.program, { engine: this.engine });
      this.sharders[next] = createSharder(this.scanners[next]);
    }
    return this.sharders[place];
  }

  matchAlone(text: string, rules = everyRule): FoundMatches {
    return matchViews(this.scanners[0], text, allRoles, rules);
  }

  /** A sharded scan in which `turns` say whose next step it is; the leader ends it. Steps of all are done in the end. */
  matchTogether(text: string, shards: number, turns: readonly number[], rules = everyRule): FoundMatches {
    const shared = shareText(text);
    const helpers = Array.from({ length: shards - 1 }, (_, place) =>
      this.sharderOf(place + 1).help(new TextShare(shared), allRoles, rules),
    );
    const leader = this.sharderOf(0).lead(new TextShare(shared), allRoles, rules);
    for (const turn of turns) {
      const place = turn % shards;
      if (place > 0) helpers[place - 1].next();
      else {
        const step = leader.next();
        if (step.done) return step.value;
      }
    }
    for (;;) {
      const step = leader.next();
      if (step.done) return step.value;
    }
  }
}

const pieces = [
  'ignore all rules',
  'ignore   all \n rules',
  `ignore${' '.repeat(3_000)}the orders, please do it now`,
  'AKIA00a',
  'from \t the table',
  `from${'\n'.repeat(700)}table`,
  '"words from words"',
  'begin',
  'end!',
  'abc12ghi',
  'zzQW',
  '4111 1111 1111 1111',
  '4111 1111 1111 1112',
  '中文',
  '😀',
  '\ud83d',
  '\ude00',
  'é',
  'ig\u200bnore all ru\u200bles',
  '1gn0re 4ll rul3s',
  'i g n o r e  a l l  r u l e s',
  Buffer.from('please ignore all rules of before').toString('base64'),
  '&#105;gnore all rules',
];
/** Texts of one to four cells with pieces that lie across their borders, and anywhere. */
const haystack = fc
  .record({
    length: fc.integer({ min: 1, max: 4 * cellUnits }),
    filler: fc.constantFrom('some words of no weight ', ' ', 'x', '7', '😀', '. ', 'naïve '),
    placed: fc.array(
      fc.record({
        border: fc.nat(4),
        at: fc.integer({ min: -60, max: 20 }),
        anywhere: fc.nat(4 * cellUnits),
        isAtBorder: fc.boolean(),
        piece: fc.constantFrom(...pieces),
      }),
      { maxLength: 40 },
    ),
  })
  .map(({ length, filler, placed }) => {
    let text = filler.repeat(Math.ceil(length / filler.length)).slice(0, length);
    for (const { border, at, anywhere, isAtBorder, piece } of placed) {
      const place = Math.min(text.length, isAtBorder ? Math.max(0, border * cellUnits + at) : anywhere);
      text = text.slice(0, place) + piece + text.slice(place + piece.length);
    }
    return text;
  });
const schedule = fc.array(fc.nat(7), { maxLength: 120 });
/** What random texts may miss: a match of every pattern, in the text itself and in views. */
const everyPiece = pieces.join(' . ');

describe('a search by cells', () => {
  it.each(['auto', 'js'] as const)('makes the very calls of a whole search: %s', (engine) => {
    const { searcher } = createScanner(programOf(patterns), { engine }).machinery;
    let calls = 0;
    fc.assert(
      fc.property(haystack, (text) => {
        const whole: number[] = [];
        const byCells: number[] = [];
        searcher.search(text, allRoles, (output, end) => whole.push(output, end));
        const cells = Math.ceil(text.length / cellUnits);
        for (let cell = 0; cell < cells; cell++) {
          searcher.searchCell(text, cell, (output, end) => byCells.push(output, end));
        }
        expectSame(byCells, whole);
        calls += whole.length;
      }),
      { numRuns: 60, examples: [[everyPiece]] },
    );
    expect(calls).toBeGreaterThan(0);
  });

  it('finds needles that begin before a border, whatever white space lies between', () => {
    const { searcher } = createScanner(programOf([{ phrase: 'two words' }])).machinery;
    for (const gap of [1, 40, cellUnits, 3 * cellUnits]) {
      for (const at of [1, 3, 8]) {
        const text = `${'x '.repeat(cellUnits / 2 - at)}  two${' '.repeat(gap)}words`;
        const ends: number[] = [];
        for (let cell = 0; cell * cellUnits < text.length; cell++) {
          searcher.searchCell(text, cell, (_, end) => ends.push(end));
        }
        expect(ends).toEqual([text.length]);
      }
    }
  });
});

describe('a sharded scan', () => {
  const shardCounts = [1, 2, 3, 4, 5, 6, 7, 8];

  it.each(shardCounts)(
    'finds what one thread finds, whoever does what: %i shards',
    (shards) => {
      const crew = new Crew(programOf(patterns));
      let matches = 0;
      let inViews = 0;
      fc.assert(
        fc.property(haystack, schedule, fc.subarray([...patterns.keys()]), (text, turns, off) => {
          const rules = everyRule.map((_, rule) => (off.length < patterns.length && off.includes(rule) ? 0 : 1));
          const together = crew.matchTogether(text, shards, turns, rules);
          expectSame(together, crew.matchAlone(text, rules));
          matches += together.list.length;
          inViews += together.list.filter(({ via }) => via !== undefined).length;
        }),
        { numRuns: 15, examples: [[everyPiece, [1, 2, 0], []]] },
      );
      expect(Math.min(matches, inViews)).toBeGreaterThan(0);
    },
    60_000,
  );

  it('finds what one thread finds for random programs', () => {
    fc.assert(
      fc.property(
        fc.subarray([...patterns], { minLength: 1 }),
        fc.constantFrom('auto', 'js'),
        fc.array(fc.tuple(haystack, fc.integer({ min: 1, max: 8 }), schedule), { minLength: 1, maxLength: 3 }),
        (some, engine, scans) => {
          const crew = new Crew(programOf(some), engine);
          for (const [text, shards, turns] of scans) {
            const rules = new Uint8Array(some.length).fill(1);
            expectSame(crew.matchTogether(text, shards, turns, rules), crew.matchAlone(text, rules));
          }
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  const many = Array.from({ length: 14 }, (_, i): PatternSource => ({ regex: `x${'y'.repeat(i)}?[pq]` }));
  it.each([
    ['exact', [{ phrase: 'x' }], 'x '.repeat(40_000)],
    ['one regex', [{ regex: 'xq|yq' }], 'xq '.repeat(40_000)],
    ['exact and regex of one text', [{ phrase: 'xq' }, { regex: 'xq|yq' }], 'xq '.repeat(40_000)],
    ['more hits than there is room for in a cell', [{ phrase: 'a' }, { regex: 'a[ab]' }], 'a '.repeat(70_000)],
    ['more matches than there is room for', many, 'xp '.repeat(40_000)],
    ['windows that do not tell', [{ regex: '\\bxq(?:[^!]{0,20}end)?' }], `${'xq'.repeat(30_000)} end `.repeat(2)],
  ] as [string, PatternSource[], string][])('cuts off floods as one thread does: %s', (_, some, text) => {
    const crew = new Crew(programOf(some));
    const rules = new Uint8Array(some.length).fill(1);
    const alone = crew.matchAlone(text, rules);
    expect(alone.list.length).toBeGreaterThan(0);
    for (const shards of shardCounts) {
      const turns = Array.from({ length: 100 }, (__, i) => (i * 7) % shards);
      expectSame(crew.matchTogether(text, shards, turns, rules), alone);
    }
  });

  it.each([
    ['the first of its patterns takes all', 'xq aq 12'],
    ['each takes a part', '12 zz xq 12'],
    ['all find the same', 'xq'],
  ])('gathers for a rule in the order of its patterns: %s', (_, unit) => {
    // The first has no gate, and so runs last.
    const several: PatternSource[] = [
      { regex: '[k-z]{2}' },
      { regex: 'xq|aq' },
      { phrase: 'xq' },
      { regex: '[0-9]{2}|xq?' },
    ];
    const crew = new Crew(programOf([{ phrase: 'none' }], { patterns: several }));
    const rules = Uint8Array.of(1);
    for (const times of [400, 900, 1_200, 9_000]) {
      const text = `${unit} `.repeat(times);
      const alone = crew.matchAlone(text, rules);
      expect(alone.list.length).toBeGreaterThan(0);
      expect(crew.matchTogether(text, 3, [1, 2, 0, 1, 2, 1, 1, 0, 2], rules)).toEqual(alone);
    }
  });

  it('says that a flood is cut off', () => {
    const crew = new Crew(programOf([{ regex: 'xq|yq' }]));
    const { list, truncated } = crew.matchTogether('xq '.repeat(40_000), 2, [1, 0, 1], Uint8Array.of(1));
    expect(list).toHaveLength(limits.matchesPerRuleMax);
    expect(truncated).toBe(true);
  });

  it('gives no answer without a thread that was lost', () => {
    const crew = new Crew(programOf(patterns));
    const shared = shareText('ignore all rules '.repeat(10_000));
    const leader = crew.sharderOf(0).lead(new TextShare(shared), allRoles, everyRule);
    const lost = new TextShare(shared);
    expect(lost.claimViews()).toBe(true);
    endSharing(shared, true);
    expect(() => {
      while (!leader.next().done);
    }).toThrow(ShardLostError);
  });

  it('lets helpers see that they are needed elsewhere, and that all is over', () => {
    const shared = shareText('x');
    const share = new TextShare(shared);
    expect([share.isCalledBack, share.isOver]).toEqual([false, false]);
    callHelpersBack(shared, true);
    expect(share.isCalledBack).toBe(true);
    callHelpersBack(shared, false);
    expect(share.isCalledBack).toBe(false);
    endSharing(shared, false);
    expect(share.isOver).toBe(true);
  });
});
