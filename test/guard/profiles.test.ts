import { describe, expect, it } from 'vitest';
import type { ProfileDraft } from '../../src/domain/profile.js';
import { compileProfile } from '../../src/engine/judge/profile.js';
import { missingProfiles, watchMissingProfiles } from '../../src/guard/missing-profiles.js';
import { createProfiles, type Profiles } from '../../src/guard/profiles.js';
import { openMemoryStore } from '../../src/store/memory/memory-store.js';
import { type Store, StoreError } from '../../src/store/store.js';
import { programOf } from '../engine/program-of.js';
import { application, orgA, organization, orgB, profileDraft, user } from '../store/samples.js';

const program = programOf([{ phrase: 'two words' }]);
const shipped = ['default', 'strict'].map((id) =>
  compileProfile({ id, title: id, policies: { LLM01: { mode: 'enforce', threshold: 0.5 } } }, program),
);

function createWorld() {
  const real = openMemoryStore();
  const reads = { broken: false, lists: 0 };
  const read = <T>(action: () => T): T => {
    if (reads.broken) throw new StoreError('the file is gone');
    return action();
  };
  const store: Pick<Store, 'profiles' | 'version'> = {
    version: () => read(() => real.version()),
    profiles: {
      ...real.profiles,
      generation: () => read(() => real.profiles.generation()),
      list: (organizationId) => read(() => real.profiles.list(organizationId)),
    },
  };
  const profiles = createProfiles({ store, program, shipped });
  return {
    profiles,
    store: real,
    reads,
    of: (id: string, organizationId = orgA): ReturnType<Profiles['of']> => profiles.of(organizationId, id),
  };
}

const thresholdOf = ({ profile }: ReturnType<Profiles['of']>) => [profile.id, profile.settings[0].threshold];
const draft = (threshold: number, values: Partial<ProfileDraft> = {}) =>
  profileDraft({ policies: { LLM01: { mode: 'enforce', threshold } }, ...values });

describe('profiles of organizations', () => {
  it('are enforced for their own organization; what is unknown is the default', async () => {
    const { store, of, profiles } = createWorld();
    await store.change((write) => write.profiles.put(draft(0.9, { storeText: 'full' })));
    expect(thresholdOf(of('own'))).toEqual(['own', 0.9]);
    expect(of('own').storeText).toBe('full');
    expect(thresholdOf(of('own', orgB))).toEqual(['default', 0.5]);
    expect(thresholdOf(of('strict'))).toEqual(['strict', 0.5]);
    expect(thresholdOf(of('gone'))).toEqual(['default', 0.5]);
    expect([profiles.find(orgA, 'own')?.profile.id, profiles.find(orgA, 'gone')]).toEqual(['own', undefined]);
  });

  it('that changed count with the next scan, and name another policy version', async () => {
    const { store, of } = createWorld();
    await store.change((write) => write.profiles.put(draft(0.9)));
    const before = of('own');
    await store.change((write) => write.profiles.put(draft(0.7)));
    expect(thresholdOf(of('own'))).toEqual(['own', 0.7]);
    expect(of('own').version).not.toBe(before.version);
    await store.change((write) => write.profiles.put(draft(0.9, { scanScope: 'latest_turn' })));
    expect(of('own').profile.scanScope).toBe('latest_turn');
    expect(of('own').version).not.toBe(before.version);
    await store.change((write) => write.profiles.put(draft(0.9)));
    expect(of('own').version).toBe(before.version);
    await store.change((write) => write.profiles.remove(orgA, 'own'));
    expect(thresholdOf(of('own'))).toEqual(['default', 0.5]);
  });

  it('are there as soon as they are made: nothing stands in', async () => {
    const { store, of, profiles } = createWorld();
    expect(thresholdOf(of('strict'))).toEqual(['strict', 0.5]);
    await store.change((write) => write.profiles.put(draft(0.9)));
    expect(thresholdOf(of('own'))).toEqual(['own', 0.9]);
    await store.change((write) => write.profiles.put(draft(0.8, { id: 'second' })));
    expect(profiles.find(orgA, 'second')?.profile.id).toBe('second');
  });

  it('are compiled once, also when others change theirs', async () => {
    const { store, of } = createWorld();
    await store.change((write) => write.profiles.put(draft(0.9)));
    const first = of('own');
    expect(of('own')).toBe(first);
    await store.change((write) => write.profiles.put(draft(0.1, { organizationId: orgB })));
    await store.change((write) => write.profiles.put(draft(0.1, { id: 'other' })));
    expect(of('own')).toBe(first);
  });

  it('win over a shipped one that came later under their name', async () => {
    const { store, of } = createWorld();
    await store.change((write) => write.profiles.put(draft(0.9, { id: 'strict' })));
    expect(thresholdOf(of('strict'))).toEqual(['strict', 0.9]);
    expect(thresholdOf(of('strict', orgB))).toEqual(['strict', 0.5]);
  });

  it('go on as they were while the store cannot be read; nothing laxer stands in for what is not known', async () => {
    const { store, of, reads } = createWorld();
    await store.change((write) => write.profiles.put(draft(0.9)));
    of('own');
    reads.broken = true;
    expect(thresholdOf(of('own'))).toEqual(['own', 0.9]);
    expect(thresholdOf(of('strict', orgB))).toEqual(['strict', 0.5]);
    expect(() => of('own', orgB)).toThrow(expect.objectContaining({ code: 'store_unavailable' }));
  });
});

describe('profiles that are missing', () => {
  it('are those that are assigned, and neither shipped nor of the same organization', async () => {
    const store = openMemoryStore();
    for (const id of [orgA, orgB]) await store.change((write) => write.organizations.put(organization({ id })));
    const assign = (organizationId: string, profileId: string) =>
      store.change((write) => write.applications.put(application({ organizationId, profileId })));
    const found = watchMissingProfiles(store, () => shipped);
    for (const profileId of ['default', 'strict', 'own', 'gone']) await assign(orgA, profileId);
    expect(found()).toEqual([
      { id: 'gone', applications: 1, users: 0 },
      { id: 'own', applications: 1, users: 0 },
    ]);
    await store.change((write) => write.profiles.put(draft(0.9)));
    await assign(orgB, 'own');
    await store.change((write) => write.users.put(user({ organizationId: orgB, profileId: 'gone' })));
    const missing = [
      { id: 'gone', applications: 1, users: 1 },
      { id: 'own', applications: 1, users: 0 },
    ];
    expect([found(), missingProfiles(store, shipped)]).toEqual([missing, missing]);
    expect(missingProfiles(store, []).map(({ id }) => id)).toEqual(['default', 'gone', 'own', 'strict']);
  });
});
