import { type PolicyCode, policyCodes } from '../../domain/policy.js';
import type { PolicySetting, PolicySettings } from '../../domain/profile.js';
import type { Program } from '../program.js';

/** What a profile asks for, as written in its file. A policy that is not named is off. */
export interface ProfileSource {
  readonly id: string;
  readonly title: string;
  readonly policies: PolicySettings;
}

/** A profile compiled against one program: a mask and thresholds, never a second automaton. Plain data, so that it can go to other threads. */
export interface Profile {
  readonly id: string;
  readonly title: string;
  /** 1 for each rule (by rule index) of a policy that is not off. */
  readonly rules: Uint8Array;
  /** By policy, in order of code. */
  readonly settings: readonly PolicySetting[];
}

export function compileProfile(source: ProfileSource, program: Program): Profile {
  const settings = policyCodes.map((code): PolicySetting => source.policies[code] ?? { mode: 'off', threshold: 1 });
  const modes = new Map(policyCodes.map((code, index) => [code, settings[index].mode]));
  return {
    id: source.id,
    title: source.title,
    rules: Uint8Array.from(program.rules, (rule) => (modes.get(rule.policy) === 'off' ? 0 : 1)),
    settings,
  };
}

/** The same profile with every policy off that is not among `codes`. */
export function restrictProfile(profile: Profile, codes: readonly PolicyCode[], program: Program): Profile {
  const policies = Object.fromEntries(
    policyCodes.flatMap((code, index) => (codes.includes(code) ? [[code, profile.settings[index]]] : [])),
  );
  return compileProfile({ id: profile.id, title: profile.title, policies }, program);
}
