import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CustomRules } from '../domain/custom-rules.js';
import { GuardError } from '../domain/errors.js';
import type { Finding, Verdict } from '../domain/finding.js';
import type { Principal } from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import type { Message } from '../domain/message.js';
import type { PolicySettings } from '../domain/profile.js';
import type { ScanRecord } from '../domain/scan-record.js';
import { firstScanned, type ScanScope, withoutUnscanned } from '../domain/scan-scope.js';
import { compileProfile, type Profile } from '../engine/judge/profile.js';
import type { OverlayParts } from '../engine/overlay.js';
import type { Program } from '../engine/program.js';
import type { Pool } from '../pool/pool.js';
import type { Store } from '../store/store.js';
import type { Clock } from '../telemetry/clock.js';
import type { Guard } from './guard.js';
import type { OrganizationRules } from './organization-rules.js';
import { type Overlays, overlayParts } from './overlays.js';
import type { Profiles } from './profiles.js';

/** A change that is not saved, and what to try it on. */
interface PreviewRequest {
  /** Id of the profile that is enforced now. */
  readonly against: string;
  /** What its policies would be; as they are when left out. */
  readonly policies?: PolicySettings;
  /** Beside `policies`: which messages would be scanned; as now when left out. */
  readonly scanScope?: ScanScope;
  /** What the organization's own rules would be; as they are when left out. */
  readonly rules?: CustomRules;
  readonly samples: readonly (readonly Message[])[];
  /** How many of the newest scans whose text is stored to replay. */
  readonly recent?: number;
}

/** What a change would do. */
export interface Preview {
  readonly compared: number;
  /** Flagged scans among those. */
  readonly flagged: { readonly before: number; readonly after: number };
  readonly changedTotal: number;
  /** The first `limits.replayChangedMax`. */
  readonly changed: readonly PreviewChange[];
  readonly recent?: RecentTraffic;
}

export interface PreviewChange {
  /** Place among the samples, or id of the recent scan. */
  readonly index?: number;
  readonly scanId?: string;
  readonly before: Verdict;
  readonly after: Verdict;
}

interface RecentTraffic {
  readonly asked: number;
  readonly replayed: number;
  /** Passed over, newer than the oldest that was found with text: no text was stored. */
  readonly withoutText: number;
  /** Not replayed: more text than one preview reads. */
  readonly overLimit: number;
  /** Replayed without their secrets. */
  readonly redacted: number;
  /** Replayed with a part of their text. */
  readonly cut: number;
}

/**
 * Scans samples and recent traffic in the pool, as they are judged now and as they would be, and tells the differences.
 * Records nothing. Throws or rejects with `unknown_id`, with `invalid_input` for rules that do not compile, and as scans do.
 */
export type PreviewChanges = (principal: Principal, request: PreviewRequest) => Promise<Preview>;

export interface PreviewOptions {
  readonly store: Pick<Store, 'scans'>;
  /** Gives the recent scans, those included that were just answered. */
  readonly guard: Pick<Guard, 'results'>;
  readonly program: Program;
  readonly profiles: Profiles;
  readonly overlays: Overlays;
  readonly customRules: Pick<OrganizationRules, 'compile'>;
  readonly pool: Pick<Pool, 'run'>;
  readonly clock: Clock;
}

interface Sample {
  readonly index?: number;
  readonly scanId?: string;
  readonly messages: readonly Message[];
}

/** The same about a part of the body: what was read as a body of its own names places in that. */
function below(pointer: string, { code, message, fields }: GuardError): GuardError {
  return new GuardError(
    code,
    message,
    fields.map((field) => ({ ...field, pointer: `${pointer}${field.pointer}` })),
  );
}

interface Judges {
  readonly profile: Profile;
  readonly overlay: OverlayParts | undefined;
}

export function createPreview(options: PreviewOptions): PreviewChanges {
  const { program, profiles, overlays, customRules, pool, clock } = options;

  const overlayAfter = async (organizationId: string, rules: CustomRules): Promise<OverlayParts | undefined> => {
    const compiled = await customRules.compile(organizationId, rules).catch((error: unknown) => {
      throw error instanceof GuardError && error.fields.length > 0 ? below('/rules', error) : error;
    });
    const isEmpty = compiled.rules.rules.length + compiled.rules.allow.length === 0;
    return isEmpty ? undefined : overlayParts(compiled.rules, compiled.program, clock.nowMs());
  };

  const judge = async (scans: readonly (readonly Message[])[], { profile, overlay }: Judges) =>
    (await pool.run({ profile, scans: scansUnder(profile, scans), ...(overlay ? { overlay } : {}) })).verdicts;

  return async (principal, { against, policies, scanScope, rules, samples, recent }) => {
    const { organizationId } = principal;
    const nowUs = clock.nowUs();
    const found = profiles.find(organizationId, against);
    if (!found) throw new GuardError('unknown_id', 'Unknown profile in against.');
    const opened = (await overlays.of(organizationId, nowUs))?.parts;
    const now = found.profile;
    const before: Judges = { profile: now, overlay: opened };
    const after: Judges = {
      profile: policies ? compileProfile({ ...now, policies, scanScope: scanScope ?? now.scanScope }, program) : now,
      overlay: rules ? await overlayAfter(organizationId, rules) : opened,
    };
    const traffic = recent === undefined ? undefined : await recentTraffic(options, principal, recent);
    const all: Sample[] = [...samples.map((messages, index) => ({ index, messages })), ...(traffic?.samples ?? [])];

    const flagged = { before: 0, after: 0 };
    const changed: PreviewChange[] = [];
    let changedTotal = 0;
    for (const batch of batchesOf(all)) {
      const scans = batch.map(({ messages }) => messages);
      const [old, next] = await Promise.all([judge(scans, before), judge(scans, after)]);
      for (const [place, { messages: _, ...name }] of batch.entries()) {
        if (old[place].flagged) flagged.before++;
        if (next[place].flagged) flagged.after++;
        if (outlineOf(old[place]) === outlineOf(next[place])) continue;
        changedTotal++;
        if (changed.length < limits.replayChangedMax) changed.push({ ...name, before: old[place], after: next[place] });
      }
    }
    const told = traffic && { recent: traffic.told };
    return { compared: all.length, flagged, changedTotal, changed, ...told };
  };
}

/** What is not scanned need not be copied to another thread. */
function scansUnder({ scanScope }: Profile, scans: readonly (readonly Message[])[]): readonly (readonly Message[])[] {
  return scans.map((messages) => withoutUnscanned(messages, firstScanned(scanScope, messages)));
}

/** What people see of a verdict. */
function outlineOf({ flagged, policies, findings }: Verdict): string {
  const seen = ({ messageId, start, end, policy, labels }: Finding) => [messageId, start, end, policy, labels];
  return JSON.stringify([flagged, policies, findings.map(seen)]);
}

/** As many scans for one task of the pool as keep it short. */
function* batchesOf(samples: readonly Sample[]): Generator<readonly Sample[]> {
  let batch: Sample[] = [];
  let units = 0;
  for (const sample of samples) {
    batch.push(sample);
    units += unitsOf(sample.messages);
    if (batch.length < batchScansMax && units < batchUnitsMax) continue;
    yield batch;
    batch = [];
    units = 0;
  }
  if (batch.length > 0) yield batch;
}

const batchScansMax = 64;
const batchUnitsMax = 256 * 1024;

function unitsOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}

const recordsPerTurn = 500;

/** The newest scans with text, until there are `asked` of them or the walk has come to its end. */
async function recentTraffic(
  { store, guard }: Pick<PreviewOptions, 'store' | 'guard'>,
  principal: Principal,
  asked: number,
): Promise<{ readonly samples: readonly Sample[]; readonly told: RecentTraffic }> {
  const samples: Sample[] = [];
  const counts = { withoutText: 0, overLimit: 0, redacted: 0, cut: 0 };
  let units = 0;
  for await (const { id, storedText, messageLengths } of newestRecords(guard, principal)) {
    const text = storedText === undefined ? undefined : store.scans.text(principal.organizationId, id);
    if (!text) {
      counts.withoutText++;
      continue;
    }
    units += unitsOf(text.messages);
    if (units > limits.replayUnitsMax) {
      counts.overLimit++;
    } else {
      if (text.form === 'redacted') counts.redacted++;
      if (text.messages.length < messageLengths.length || text.messages.some(({ cut }) => cut)) counts.cut++;
      samples.push({ scanId: id, messages: text.messages.map(({ role, content }) => ({ role, content })) });
    }
    if (samples.length + counts.overLimit === asked) break;
  }
  return { samples, told: { asked, replayed: samples.length, ...counts } };
}

/** Up to `limits.replayWalkMax`; others get their turn between a page and the next. */
async function* newestRecords(guard: PreviewOptions['guard'], principal: Principal): AsyncGenerator<ScanRecord> {
  let cursor: string | undefined;
  for (let walked = 0; walked < limits.replayWalkMax; walked += recordsPerTurn) {
    const query = { limit: recordsPerTurn, ...(cursor === undefined ? {} : { cursor }) };
    const { records, next } = await guard.results(principal, query);
    yield* records;
    if (next === undefined) return;
    cursor = next;
    await nextTurn();
  }
}
