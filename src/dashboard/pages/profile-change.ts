import { policyCodes } from '../policies.js';
import type { PolicySetting, ProfileVersion, ScanScope } from '../wire.js';

/** What a profile has scanned. */
export const scopeWords: Readonly<Record<ScanScope, string>> = { all: 'all messages', latest_turn: 'latest turn' };

const off: PolicySetting = { mode: 'off', threshold: 0 };

/** What one version of a profile changed of the one before it, in words. */
export function describeProfileChange(version: ProfileVersion, before: ProfileVersion | undefined): string {
  if (before === undefined) return version.version === 1 ? 'made' : 'made, or the oldest that is kept';
  const changes = [
    ...(version.title === before.title ? [] : ['title']),
    ...(version.store_text === before.store_text ? [] : [`text kept: ${before.store_text} → ${version.store_text}`]),
    ...(version.scan_scope === before.scan_scope
      ? []
      : [`scanned: ${scopeWords[before.scan_scope]} → ${scopeWords[version.scan_scope]}`]),
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
