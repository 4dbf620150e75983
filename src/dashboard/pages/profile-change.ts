import { policyCodes } from '../policies.js';
import type { PolicySetting, ProfileVersion } from '../wire.js';

const off: PolicySetting = { mode: 'off', threshold: 0 };

/** What one version of a profile changed of the one before it, in words. */
export function describeProfileChange(version: ProfileVersion, before: ProfileVersion | undefined): string {
  if (before === undefined) return version.version === 1 ? 'made' : '';
  const changes = [
    ...(version.title === before.title ? [] : ['title']),
    ...(version.store_text === before.store_text ? [] : [`text kept: ${before.store_text} → ${version.store_text}`]),
    ...policyCodes.flatMap((code) => {
      const [old, next] = [before.policies[code] ?? off, version.policies[code] ?? off].map(words);
      return old === next ? [] : [`${code}: ${old} → ${next}`];
    }),
  ];
  return changes.length === 0 ? 'nothing' : changes.join('; ');
}

/** A threshold means nothing where the policy is off. */
function words({ mode, threshold }: PolicySetting): string {
  return mode === 'off' ? 'off' : `${mode} at ${threshold.toFixed(2)}`;
}
