import type { Command } from 'commander';
import { policyCodes } from '../../domain/policy.js';
import { loadRules } from '../ruleset.js';
import { print, table, UsageError } from '../terminal.js';
import { type Common, show, showAll } from './administer.js';

/** `merlon profile …` */
export function addProfile(profile: Command): void {
  const all = () =>
    loadRules().profiles.map(({ id, title, settings }) => ({
      id,
      title,
      policies: Object.fromEntries(policyCodes.map((code, index) => [code, settings[index]])),
    }));
  profile
    .command('list')
    .description('list profiles')
    .option('--json', 'as JSON')
    .action((options: Common) => showAll(options, all(), ['id', 'title']));
  profile
    .command('show')
    .description('show one profile')
    .argument('<ID>')
    .option('--json', 'as JSON')
    .action((id: string, options: Common) => {
      const found = all().find((each) => each.id === id);
      if (!found) throw new UsageError(`ID: there is no profile "${id}"`);
      if (options.json) {
        show(options, found);
        return;
      }
      const rows = Object.entries(found.policies).map(([code, { mode, threshold }]) => [code, mode, String(threshold)]);
      print(table([['POLICY', 'MODE', 'THRESHOLD'], ...rows]));
    });
}
