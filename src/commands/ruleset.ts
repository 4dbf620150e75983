import { type Profile, restrictProfile } from '../engine/judge/profile.js';
import { readBuildInfo } from '../guard/build-info.js';
import { loadRules as load } from '../load-rules.js';
import type { CompiledRules } from '../rules/load.js';
import { parsePolicies } from './policies.js';
import { withProgress } from './progress.js';
import { existingRulesFolder } from './rules-folder.js';
import { note, UsageError } from './terminal.js';

/** The rules that the settings name, or those of another folder; a terminal is told where they have to be compiled. Throws `RulesError`, `UsageError`. */
export function loadRules(folder: string = existingRulesFolder()): CompiledRules {
  return withProgress('compiling the rules', (step) =>
    load(folder, readBuildInfo(), (unkept) => {
      if (process.stderr.isTTY && unkept) {
        note(`each start compiles them: MERLON_CACHE cannot keep them (${unkept.message})`);
      }
      return step;
    }),
  );
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
