import { isPolicyCode, type PolicyCode, policyCodes } from '../domain/policy.js';
import { type Profile, restrictProfile } from '../engine/judge/profile.js';
import { formatDiagnostic, isError } from '../rules/diagnostic.js';
import { loadRuleset, type Ruleset } from '../rules/load.js';
import { UsageError } from './terminal.js';

/** The rules do not load; the message holds every error, one a line. */
export class RulesError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RulesError';
  }
}

/** Loads rules that are fit to scan with. Throws `RulesError` with all errors. */
export function loadSoundRuleset(folder: string): Ruleset {
  const ruleset = loadRuleset(folder);
  const errors = ruleset.diagnostics.filter(isError);
  if (errors.length > 0) throw new RulesError(errors.map(formatDiagnostic).join('\n'));
  if (ruleset.rules.length === 0) throw new RulesError(`there are no rules in ${folder}`);
  if (ruleset.profiles.length === 0) throw new RulesError(`there are no profiles in ${folder}`);
  return ruleset;
}

/** The named profile, narrowed to `policies` (`LLM01,LLM02`) where given. Throws `UsageError` naming the argument. */
export function chooseProfile(ruleset: Ruleset, id: string, policies: string | undefined): Profile {
  const profile = ruleset.profiles.find((each) => each.id === id);
  if (!profile) {
    const known = ruleset.profiles.map((each) => each.id).join(', ');
    throw new UsageError(`--profile: there is no profile "${id}"; there are ${known}`);
  }
  return policies === undefined ? profile : restrictProfile(profile, parsePolicies(policies), ruleset.program);
}

function parsePolicies(text: string): readonly PolicyCode[] {
  const codes = text.split(',').map((code) => code.trim().toUpperCase());
  const known = codes.filter(isPolicyCode);
  if (known.length === codes.length) return known;
  const [wrong] = codes.filter((code) => !isPolicyCode(code));
  throw new UsageError(`--policies: there is no policy "${wrong}"; there are ${policyCodes.join(', ')}`);
}
