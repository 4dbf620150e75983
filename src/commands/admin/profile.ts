import type { Command } from 'commander';
import { readFolders } from '../../config.js';
import { policyCodes } from '../../domain/policy.js';
import { createOrganizationProfiles, type ProfileState } from '../../guard/organization-profiles.js';
import { readProfileHeads } from '../../rules/load.js';
import { hasData } from '../../store/lmdb/data-folder.js';
import { print, table, UsageError } from '../terminal.js';
import { administer, type Common, common, organizationOf, show, showAll } from './administer.js';

interface ProfileOptions extends Common {
  readonly org?: string;
}

/** `merlon profile …` */
export function addProfile(profile: Command): void {
  const add = (name: string, description: string) =>
    common(profile.command(name).description(description)).option(
      '--org <ID>',
      'organization; the oldest when left out',
    );
  add('list', 'list profiles: the shipped ones and those of an organization').action(async (options: ProfileOptions) =>
    withProfiles(options, (all) => showAll(options, all.map(shown), ['id', 'title', 'origin', 'version', 'updatedAt'])),
  );
  add('show', 'show one profile')
    .argument('<ID>')
    .action(async (id: string, options: ProfileOptions) =>
      withProfiles(options, (all) => {
        const found = all.find((each) => each.id === id);
        if (!found) throw new UsageError(`ID: there is no profile "${id}"`);
        if (options.json) {
          show(options, shown(found));
          return;
        }
        const rows = policyCodes.map((code) => {
          const { mode, threshold } = found.policies[code] ?? { mode: 'off', threshold: '-' };
          return [code, mode, String(threshold)];
        });
        print(table([['POLICY', 'MODE', 'THRESHOLD'], ...rows]));
        print(`\nstored text: ${found.storeText}\nscan scope: ${found.scanScope}`);
      }),
    );
}

/** Without data there are the shipped ones. */
async function withProfiles(options: ProfileOptions, work: (all: readonly ProfileState[]) => void): Promise<void> {
  const isNamed = options.data !== undefined || options.org !== undefined;
  const { dataFolder, rulesFolder } = readFolders(undefined);
  if (!isNamed && !hasData(dataFolder)) {
    work(createOrganizationProfiles(readProfileHeads(rulesFolder)).shipped);
    return;
  }
  await administer(options, (admin, folder) => {
    const profiles = createOrganizationProfiles(readProfileHeads(folder));
    work(profiles.list(admin, organizationOf(admin, options.org)));
  });
}

function shown({ updatedBy: _, ...state }: ProfileState): object {
  return state;
}
