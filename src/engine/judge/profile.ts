import { type PolicyCode, policyCodes } from '../../domain/policy.js';
import type { PolicySetting, PolicySettings } from '../../domain/profile.js';
import type { ScanScope } from '../../domain/scan-scope.js';
import { learnedRulesOf } from '../learned/learned-rules.js';
import type { Program, ProgramModel } from '../program.js';

/** What a profile asks for, as written in its file. A policy that is not named is off. */
export interface ProfileSource {
  readonly id: string;
  readonly title: string;
  readonly policies: PolicySettings;
  /** Name of the learned model, or `none`; `shippedModel` where left out. */
  readonly model?: string;
  /** All messages where left out. */
  readonly scanScope?: ScanScope;
}

/** The model that profiles use where they name none. */
export const shippedModel = 'shipped';

/** What a profile says itself, with all that it leaves out: the same whatever the rules are. */
export interface ProfileHead {
  readonly id: string;
  readonly title: string;
  /** By policy, in order of code. */
  readonly settings: readonly PolicySetting[];
  readonly model: string;
  /** Messages that are not in it are neither scanned nor judged. */
  readonly scanScope: ScanScope;
}

/** A profile compiled against one program: a mask and thresholds, never a second automaton. Plain data, so that it can go to other threads. */
export interface Profile extends ProfileHead {
  /**
   * By rule index: 0 for rules of policies that are off, 1 for all others, but for a rule that a model speaks for the
   * number of the model, from 1, or 0 where there is none: see `speakersOf`.
   */
  readonly rules: Uint8Array;
  /** By the id of a rule that a model speaks for, of a policy that is not off: the model's number, from 1. */
  readonly speakers: Readonly<Record<string, number>>;
}

export function profileHead({
  id,
  title,
  policies,
  model = shippedModel,
  scanScope = 'all',
}: ProfileSource): ProfileHead {
  const settings = policyCodes.map((code): PolicySetting => policies[code] ?? { mode: 'off', threshold: 1 });
  return { id, title, settings, model, scanScope };
}

export function compileProfile(source: ProfileSource, program: Program): Profile {
  const head = profileHead(source);
  const speaking = speakersOf(head.model, program);
  const modes = new Map(policyCodes.map((code, index) => [code, head.settings[index].mode]));
  const rules = Uint8Array.from(program.rules, (rule, index) => {
    if (modes.get(rule.policy) === 'off') return 0;
    return speaking.get(index) ?? 1;
  });
  return {
    ...head,
    rules,
    speakers: Object.fromEntries(
      [...speaking.keys()].flatMap((rule) => (rules[rule] > 0 ? [[program.rules[rule].id, rules[rule]]] : [])),
    ),
  };
}

/**
 * By the index of each rule that a model speaks for, the model's number, from 1: the one that is named like the profile's with the
 * rule's suffix behind it, or else the profile's own, where that knows the policy and no other rule asks it; 0 where there is neither.
 */
function speakersOf(model: string, program: Program): ReadonlyMap<number, number> {
  const { models, rules } = program;
  const numberOf = (wanted: string) => 1 + models.findIndex(({ name }) => name === wanted);
  const own = numberOf(model);
  const known = new Set(models[own - 1]?.model.heads.map(({ policy }) => policy));
  const learned = [...learnedRulesOf(program)];
  for (const [rule, suffix] of learned) if (suffix === '') known.delete(rules[rule].policy);
  return new Map(
    learned.map(([rule, suffix]) => [rule, numberOf(model + suffix) || (known.has(rules[rule].policy) ? own : 0)]),
  );
}

/** The learned model of a profile, where it has one. */
export function modelOf({ model }: Profile, { models }: Pick<Program, 'models'>): ProgramModel | undefined {
  return models.find(({ name }) => name === model);
}

/** The model that speaks for a finding in a profile, where one of the finding's rules has such a one. */
export function modelOfFinding(
  { speakers }: Profile,
  ruleIds: readonly string[],
  { models }: Pick<Program, 'models'>,
): ProgramModel | undefined {
  const speaking = ruleIds.find((id) => id in speakers);
  return speaking === undefined ? undefined : models[speakers[speaking] - 1];
}

/** The same profile with every policy off that is not among `codes`. */
export function restrictProfile(profile: Profile, codes: readonly PolicyCode[], program: Program): Profile {
  const policies = Object.fromEntries(
    policyCodes.flatMap((code, index) => (codes.includes(code) ? [[code, profile.settings[index]]] : [])),
  );
  const { id, title, model, scanScope } = profile;
  return compileProfile({ id, title, policies, model, scanScope }, program);
}
