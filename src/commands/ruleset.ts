import { readFolders } from '../config.js';
import { isPolicyCode, type PolicyCode, policyCodes } from '../domain/policy.js';
import { type Profile, restrictProfile } from '../engine/judge/profile.js';
import { readBuildInfo } from '../guard/build-info.js';
import { loadRules as load } from '../load-rules.js';
import type { CompiledRules } from '../rules/load.js';
import { UsageError } from './terminal.js';

/** The rules that the settings name, or those of another folder. Throws `RulesError`. */
export function loadRules(folder: string = readFolders(undefined).rulesFolder): CompiledRules {
  return load(folder, readBuildInfo());
}

/** The named profile, narrowed to `policies` (`LLM01,LLM02`) where given. Throws `UsageError` naming the argument. */
export function chooseProfile({ profiles, program }: CompiledRules, id: string, policies: string | undefined): Profile {
  const profile = profiles.find((each) => each.id === id);
  if (!profile) {
    const known = profiles.map((each) => each.id).join(', ');
    throw new UsageError(`--profile: there is no profile "${id}"; there are ${known}`);
  }
  return policies === undefined ? profile : restrictProfile(profile, parsePolicies(policies), program);
}

function parsePolicies(text: string): readonly PolicyCode[] {
  const codes = text.split(',').map((code) => code.trim().toUpperCase());
  const known = codes.filter(isPolicyCode);
  if (known.length === codes.length) return known;
  const [wrong] = codes.filter((code) => !isPolicyCode(code));
  throw new UsageError(`--policies: there is no policy "${wrong}"; there are ${policyCodes.join(', ')}`);
}
