import type { Command } from 'commander';
import {
  type ApplicationChange,
  changeApplication,
  createApplication,
  listApplications,
} from '../../guard/administration.js';
import { administer, type Common, common, organizationOf, show, showAll } from './administer.js';

/** `merlon app …` */
export function addApp(app: Command): void {
  common(app.command('create').description('make an application'))
    .requiredOption('--name <NAME>', 'its name')
    .option('--org <ID>', 'organization; the oldest when left out')
    .option('--profile <ID>', 'profile enforced in its scans', 'default')
    .action(async (options: Common & { name: string; org?: string; profile: string }) => {
      await administer(options, async (admin) => {
        const organizationId = organizationOf(admin, options.org);
        const request = { organizationId, name: options.name, profileId: options.profile };
        show(options, await createApplication(admin, request, Date.now()));
      });
    });
  common(app.command('list').description('list applications'))
    .option('--org <ID>', 'only of this organization')
    .action(async (options: Common & { org?: string }) => {
      await administer(options, (admin) => {
        const fields = ['id', 'name', 'profileId', 'active', 'organizationId'] as const;
        showAll(options, listApplications(admin, options.org), fields);
      });
    });
  const change = (name: string, description: string, to: (value: string) => ApplicationChange, argument?: string) => {
    const command = common(app.command(name).description(description)).argument('<ID>');
    if (argument !== undefined) command.argument(argument);
    command.action(async (...given: readonly unknown[]) => {
      const [id, value] = given.slice(0, -2).map(String);
      const options = given[argument === undefined ? 1 : 2] as Common;
      await administer(options, async (admin) => {
        show(options, await changeApplication(admin, id, to(value), Date.now()));
      });
    });
  };
  change('assign', 'assign a profile', (profileId) => ({ profileId }), '<PROFILE>');
  change('rename', 'rename an application', (name) => ({ name }), '<NAME>');
  change('deactivate', 'make it unknown to scans', () => ({ active: false }));
  change('activate', 'make it known again', () => ({ active: true }));
}
