import { isPolicyCode, type PolicyCode, policyCodes } from '../domain/policy.js';
import { UsageError } from './terminal.js';

/** The policies that `--policies` names (`LLM01,LLM02`). Throws `UsageError`. */
export function parsePolicies(text: string): readonly PolicyCode[] {
  const codes = text.split(',').map((code) => code.trim().toUpperCase());
  const known = codes.filter(isPolicyCode);
  if (known.length === codes.length) return known;
  const [wrong] = codes.filter((code) => !isPolicyCode(code));
  throw new UsageError(`--policies: there is no policy "${wrong}"; there are ${policyCodes.join(', ')}`);
}
