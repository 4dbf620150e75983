import { readBuildInfo } from '../guard/build-info.js';
import { loadRulesApart } from '../load-rules.js';
import type { CompiledRules } from '../rules/load.js';
import { describeError, type Logger } from '../telemetry/log.js';
import { existingRulesFolder } from './rules-folder.js';

/** Who waits, in the words of the log. */
const waits = {
  service: 'compiling the rules before the service can listen; half a minute for all the shipped ones',
  calls: 'compiling the rules, for which calls wait; half a minute for all the shipped ones',
} as const;

/**
 * The rules that the settings name, for a process that goes on for long: the log tells where they have to be compiled. Throws `UsageError` where there is no such folder; rejects with `RulesError`.
 */
export function loadRulesLogged(log: Logger, waiting: keyof typeof waits): Promise<CompiledRules> {
  return loadRulesApart(existingRulesFolder(), readBuildInfo(), (unkept) => {
    log.info(waits[waiting]);
    if (unkept)
      log.warn('each start compiles the rules: MERLON_CACHE cannot keep them', { error: describeError(unkept) });
  });
}
