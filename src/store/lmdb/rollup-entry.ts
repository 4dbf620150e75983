import { policyCodes } from '../../domain/policy.js';
import { emptyRollup, latencyBins, type Rollup, type Tally } from '../rollup.js';
import { StoreError } from '../store.js';

/*
 * A rollup in bytes. Nearly all numbers are below 128, and so one byte each (LEB128); a JSON text would be three times as
 * long and ten times as slow to read, and an overview over a month reads 720.
 *
 *   format | scans | flagged | flagged by policy × 10
 *   number of bins in use | bin, scans …
 *   number of rules | id, hits … | other
 *   number of projects | name, scans, flagged … | other scans, flagged          the same of applications
 *
 * A name is its length and its UTF-16 units, numbers like the others: lone surrogates stay what they are.
 */
const format = 1;

/** Rollups are smaller by their bounds: names of `limits.rollupNameUnitsMax`, and numbers of eight bytes. */
const scratch = Buffer.allocUnsafe(512 * 1024);

/** The bytes of a rollup; the caller's own. */
export function encodeRollup(rollup: Rollup): Buffer {
  let at = 0;
  const number = (value: number) => {
    let rest = value;
    while (rest >= 128) {
      scratch[at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    scratch[at++] = rest;
  };
  const text = (value: string) => {
    number(value.length);
    for (let unit = 0; unit < value.length; unit++) number(value.charCodeAt(unit));
  };
  const tallies = (named: ReadonlyMap<string, Tally>, other: Tally) => {
    number(named.size);
    for (const [name, { scans, flagged }] of named) {
      text(name);
      number(scans);
      number(flagged);
    }
    number(other.scans);
    number(other.flagged);
  };

  number(format);
  number(rollup.scans);
  number(rollup.flagged);
  for (const count of rollup.policies) number(count);
  const binsAt = at++;
  scratch[binsAt] = 0;
  for (let bin = 0; bin < latencyBins; bin++) {
    if (rollup.latency[bin] === 0) continue;
    // Fewer than 128: one byte.
    scratch[binsAt]++;
    number(bin);
    number(rollup.latency[bin]);
  }
  number(rollup.rules.size);
  for (const [id, hits] of rollup.rules) {
    text(id);
    number(hits);
  }
  number(rollup.otherRules);
  tallies(rollup.projects, rollup.otherProjects);
  tallies(rollup.applications, rollup.otherApplications);
  return Buffer.from(scratch.subarray(0, at));
}

/** Undoes `encodeRollup`. Throws `StoreError` for bytes that it did not make. */
export function decodeRollup(start: number, bytes: Buffer): Rollup {
  let at = 0;
  const number = (): number => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined) throw new StoreError('The store holds a damaged rollup.');
      if (byte < 128) return value + byte * scale;
      value += (byte - 128) * scale;
      scale *= 128;
    }
  };
  const text = (): string => {
    let value = '';
    for (let left = number(); left > 0; left--) value += String.fromCharCode(number());
    return value;
  };
  const tallies = (named: Map<string, Tally>, other: Tally) => {
    for (let left = number(); left > 0; left--) named.set(text(), { scans: number(), flagged: number() });
    other.scans = number();
    other.flagged = number();
  };

  const rollup = emptyRollup(start);
  if (number() !== format) throw new StoreError('The store holds a rollup of an unknown form.');
  rollup.scans = number();
  rollup.flagged = number();
  for (let policy = 0; policy < policyCodes.length; policy++) rollup.policies[policy] = number();
  for (let left = number(); left > 0; left--) {
    const bin = number();
    const count = number();
    if (bin < latencyBins) rollup.latency[bin] = count;
  }
  for (let left = number(); left > 0; left--) rollup.rules.set(text(), number());
  rollup.otherRules = number();
  tallies(rollup.projects, rollup.otherProjects);
  tallies(rollup.applications, rollup.otherApplications);
  return rollup;
}
