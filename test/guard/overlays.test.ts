import { describe, expect, it } from 'vitest';
import type { CustomRules, StoredCustomRules } from '../../src/domain/custom-rules.js';
import { limits } from '../../src/domain/limits.js';
import type { Overlay } from '../../src/engine/overlay.js';
import { createOverlays, type Overlays, type OverlaysOptions } from '../../src/guard/overlays.js';
import { compileCustomRules } from '../../src/rules/custom-rules.js';
import { openMemoryStore } from '../../src/store/memory/memory-store.js';
import { type Store, StoreError } from '../../src/store/store.js';
import { programOf } from '../engine/program-of.js';
import { orgA, orgB, storedRules } from '../store/samples.js';

const program = programOf([{ phrase: 'shipped words' }]);

/** Time of day when a test begins. */
const beginMs = Date.UTC(2026, 0, 1);

/** Rules of their version's name, so that each version is another program. */
const rulesOf = (version: string, values: Partial<StoredCustomRules> = {}): StoredCustomRules =>
  storedRules({
    version,
    rules: [{ id: 'ORG-0001', policy: 'LLM02', patterns: [{ phrase: `code ${version}` }] }],
    ...values,
  });

interface World {
  readonly overlays: {
    of(organizationId: string): ReturnType<Overlays['of']>;
    peek(organizationId: string): ReturnType<Overlays['peek']>;
    readonly prepare: Overlays['prepare'];
    readonly opened: Overlays['opened'];
    readonly takeOver: Overlays['takeOver'];
  };
  readonly store: Store;
  /** Times that something was asked to be opened. */
  opened(): number;
  failures(): number;
  /** Lets what is asked for from now on wait until it is called with how to end. */
  hold(): (outcome?: Error) => void;
  pass(us: number): void;
  breakReads(): void;
}

function createWorld(options: Partial<OverlaysOptions> = {}): World {
  const real = openMemoryStore();
  let broken = false;
  const store: Store = {
    ...real,
    version: () => read(() => real.version()),
    customRules: {
      ...real.customRules,
      generation: () => read(() => real.customRules.generation()),
      version: (id) => read(() => real.customRules.version(id)),
      get: (id) => read(() => real.customRules.get(id)),
    },
  };
  const read = <T>(action: () => T): T => {
    if (broken) throw new StoreError('the file is gone');
    return action();
  };
  let nowUs = 0;
  let count = 0;
  let failures = 0;
  let gate: Promise<void> = Promise.resolve();
  const open = async (rules: CustomRules): Promise<WebAssembly.Memory | undefined> => {
    count++;
    await gate;
    return compileCustomRules(rules, new Set()).program?.memory;
  };
  const failed = () => {
    failures++;
  };
  const overlays = createOverlays({
    store,
    compiler: { open },
    program,
    clock: { nowUs: () => nowUs, nowMs: () => beginMs + nowUs / 1_000 },
    failed,
    ...options,
  });
  return {
    overlays: { ...overlays, of: (id) => overlays.of(id, nowUs), peek: (id) => overlays.peek(id, nowUs) },
    store,
    opened: () => count,
    failures: () => failures,
    hold: () => {
      let end: (outcome?: Error) => void = () => undefined;
      gate = new Promise((resolve, reject) => {
        end = (outcome) => (outcome ? reject(outcome) : resolve());
      });
      return end;
    },
    pass: (us) => {
      nowUs += us;
    },
    breakReads: () => {
      broken = true;
    },
  };
}

const idOf = (found: Overlay | undefined | Promise<Overlay | undefined>): string | undefined => {
  if (found instanceof Promise) throw new Error('a promise where an overlay was expected');
  return found?.parts.id;
};

describe('the rules of organizations, opened for scans', () => {
  it('are nothing, and no promise, where there are none', () => {
    const { overlays, opened } = createWorld();
    expect(overlays.of(orgA)).toBeUndefined();
    expect(opened()).toBe(0);
  });

  it('allow nothing any more that has expired, to the millisecond and without being compiled again', async () => {
    const { overlays, store, opened, pass } = createWorld();
    const at = (ms: number) => new Date(beginMs + ms).toISOString();
    const allow = [
      { phrase: 'for ever', policies: ['LLM02'] },
      { phrase: 'for long', policies: ['LLM02'], expires_at: at(7_200_000) },
      { phrase: 'for a while', policies: ['LLM02'], expires_at: at(90_000), owner: 'ada' },
      { phrase: 'no more', policies: ['LLM02'], expires_at: at(-1) },
    ] as const;
    await store.change((write) => write.customRules.put(rulesOf('one', { allow })));
    const lives = (found: ReturnType<typeof overlays.of>) =>
      found === undefined || found instanceof Promise ? [] : found.parts.allowed.map(({ policies }) => policies.length);
    expect(lives(await overlays.of(orgA))).toEqual([1, 1, 1, 0]);
    const ids = [idOf(overlays.of(orgA))];
    pass(89_999_000);
    expect(lives(overlays.of(orgA))).toEqual([1, 1, 1, 0]);
    pass(1_000);
    expect(lives(overlays.of(orgA))).toEqual([1, 1, 0, 0]);
    ids.push(idOf(overlays.of(orgA)));
    pass(7_200_000_000);
    expect(lives(overlays.of(orgA))).toEqual([1, 0, 0, 0]);
    ids.push(idOf(overlays.of(orgA)));
    expect(new Set(ids).size, 'other ids, because threads keep what they opened by id').toBe(3);
    expect(opened()).toBe(1);
  });

  it('are opened once for all that wait, for their own organization only', async () => {
    const { overlays, store, opened } = createWorld();
    await store.change((write) => write.customRules.put(rulesOf('one')));
    const found = await Promise.all([overlays.of(orgA), overlays.of(orgA), overlays.of(orgA)]);
    expect(found.map((overlay) => overlay?.parts.id)).toEqual(['one', 'one', 'one']);
    expect(opened()).toBe(1);
    expect(idOf(overlays.of(orgA)), 'and are there at once from then on').toBe('one');
    expect(overlays.of(orgB)).toBeUndefined();
  });

  it('go on as before while changed ones are being opened, then change', async () => {
    const { overlays, store, hold } = createWorld();
    await store.change((write) => write.customRules.put(rulesOf('one')));
    await overlays.of(orgA);
    const end = hold();
    await store.change((write) => write.customRules.put(rulesOf('two')));
    expect(idOf(overlays.of(orgA))).toBe('one');
    end();
    await expect.poll(() => idOf(overlays.of(orgA))).toBe('two');
  });

  it('of another process are seen with the next scan', async () => {
    const { overlays, store } = createWorld();
    expect(overlays.of(orgA)).toBeUndefined();
    await store.change((write) => write.customRules.put(rulesOf('one')));
    expect((await overlays.of(orgA))?.parts.id).toBe('one');
    await store.change((write) => write.customRules.remove(orgA, { updatedAt: 2 }));
    expect(overlays.of(orgA)).toBeUndefined();
  });

  it('of this process count at once', async () => {
    const { overlays, store, opened } = createWorld();
    const change = async (version: string) => {
      const rules = rulesOf(version);
      const { program: compiled } = compileCustomRules(rules, new Set());
      if (!compiled) throw new Error('does not compile');
      overlays.prepare(rules, compiled.memory);
      await store.change((write) => write.customRules.put(rules));
    };
    expect(overlays.of(orgA)).toBeUndefined();
    await change('one');
    expect(idOf(overlays.of(orgA))).toBe('one');
    await change('two');
    expect(idOf(overlays.of(orgA))).toBe('two');
    await store.change((write) => write.customRules.remove(orgA, { updatedAt: 2 }));
    expect(overlays.of(orgA)).toBeUndefined();
    expect(opened()).toBe(0);
  });

  it('that cannot be opened are a 503, tried again after a while', async () => {
    const { overlays, store, hold, pass, opened, failures } = createWorld();
    await store.change((write) => write.customRules.put(rulesOf('one')));
    const unavailable = { code: 'rules_unavailable', status: 503 };
    const end = hold();
    const found = overlays.of(orgA);
    end(new Error('the thread died'));
    await expect(found).rejects.toMatchObject(unavailable);
    expect(() => overlays.of(orgA)).toThrowError(expect.objectContaining(unavailable));
    expect([opened(), failures()]).toEqual([1, 1]);
    hold()();
    pass(limits.overlayRetryMs * 1_000);
    expect((await overlays.of(orgA))?.parts.id).toBe('one');
  });

  it('that changed and cannot be opened leave those before in use', async () => {
    const { overlays, store, hold, failures } = createWorld();
    await store.change((write) => write.customRules.put(rulesOf('one')));
    await overlays.of(orgA);
    await store.change((write) => write.customRules.put(rulesOf('two')));
    const end = hold();
    expect(idOf(overlays.of(orgA))).toBe('one');
    end(new Error('the thread died'));
    await expect.poll(failures).toBe(1);
    expect(idOf(overlays.of(orgA))).toBe('one');
  });

  it('are waited for no longer than allowed, and by no more than allowed', async () => {
    const { overlays, store, hold } = createWorld({ waitMs: 20 });
    await store.change((write) => write.customRules.put(rulesOf('one')));
    const end = hold();
    const waiting = Array.from({ length: limits.overlayWaitersMax }, async () => overlays.of(orgA));
    await expect(overlays.of(orgA)).rejects.toMatchObject({ code: 'overloaded' });
    const outcomes = await Promise.allSettled(waiting);
    expect(new Set(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code))).toEqual(
      new Set(['rules_unavailable']),
    );
    end();
    await expect.poll(() => overlays.of(orgA)).toMatchObject({ parts: { id: 'one' } });
  });

  it.each([
    ['number', { overlaysMax: 2 }],
    ['bytes', { overlayBytesMax: 2.5 * (compileCustomRules(rulesOf('a'), new Set()).program?.bytesLength ?? 0) }],
  ])('are kept up to a limit of %s; what went is opened again', async (_, bound) => {
    const { overlays, store, opened } = createWorld(bound);
    const ids = ['a', 'b', 'c'];
    for (const id of ids) await store.change((write) => write.customRules.put(rulesOf(id, { organizationId: id })));
    for (const id of ids) await overlays.of(id);
    expect(opened()).toBe(3);
    expect(idOf(overlays.of('b'))).toBe('b');
    expect((await overlays.of('a'))?.parts.id).toBe('a');
    expect(opened()).toBe(4);
    expect(idOf(overlays.of('b')), 'the one used longest ago went').toBe('b');
  });

  it('that went are not replaced by those before a change, though others have these open', async () => {
    const { overlays, store } = createWorld({ overlaysMax: 2 });
    const [first, second, third] = ['a', 'b', 'c'];
    for (const id of [first, second])
      await store.change((write) => write.customRules.put(rulesOf('one', { organizationId: id })));
    await overlays.of(first);
    await store.change((write) => write.customRules.put(rulesOf('two', { organizationId: first })));
    expect(idOf(overlays.of(first))).toBe('one');
    await expect.poll(() => overlays.peek(first)).toMatchObject({ parts: { id: 'two' } });
    expect(idOf(overlays.of(first))).toBe('two');
    await store.change((write) => write.customRules.put(rulesOf('three', { organizationId: third })));
    expect(idOf(overlays.of(second))).toBe('one');
    await overlays.of(third);
    expect((await overlays.of(first))?.parts.id, 'waited for').toBe('two');
  });

  it('can be looked at without being opened', async () => {
    const { overlays, store, opened, breakReads } = createWorld();
    expect(overlays.peek(orgA)).toBeUndefined();
    await store.change((write) => write.customRules.put(rulesOf('one')));
    expect([overlays.peek(orgA), opened()]).toEqual(['closed', 0]);
    await overlays.of(orgA);
    expect(overlays.peek(orgA)).toMatchObject({ parts: { id: 'one' } });
    breakReads();
    expect(overlays.peek(orgB)).toBe('closed');
  });

  it('stay in use while the store cannot be read, and are a 503 where nothing is known', async () => {
    const { overlays, store, breakReads } = createWorld();
    await store.change((write) => write.customRules.put(rulesOf('one')));
    await overlays.of(orgA);
    breakReads();
    expect(idOf(overlays.of(orgA))).toBe('one');
    expect(() => overlays.of(orgB)).toThrowError(expect.objectContaining({ code: 'store_unavailable', status: 503 }));
  });

  it('take no more memory when some of the allow-list expires or other shipped rules follow', async () => {
    const { overlays, store, pass } = createWorld();
    const later = createWorld();
    const allow = [1, 2, 3].map((n) => ({
      phrase: `phrase ${n}`,
      policies: ['LLM02'] as const,
      expires_at: new Date(beginMs + n * 1_000).toISOString(),
    }));
    await store.change((write) => write.customRules.put({ ...rulesOf('one'), allow }));
    const sizes = [(await overlays.of(orgA))?.parts.program.buffer.byteLength];
    for (let n = 0; n < 3; n++) {
      pass(1_000_000);
      sizes.push((await overlays.of(orgA))?.parts.program.buffer.byteLength);
    }
    await later.store.change((write) => write.customRules.put({ ...rulesOf('one'), allow }));
    await later.overlays.takeOver({ ...overlays, of: () => undefined, peek: () => undefined });
    sizes.push((await later.overlays.of(orgA))?.parts.program.buffer.byteLength);
    expect(later.opened()).toBe(0);
    expect(new Set(sizes).size).toBe(1);
  });
});
