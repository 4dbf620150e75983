import type { Command } from 'commander';
import { createOrganization, listOrganizations, renameOrganization } from '../../guard/administration.js';
import { administer, type Common, common, show, showAll } from './administer.js';
import { addOrgRules } from './org-rules.js';

/** `merlon org …` */
export function addOrg(org: Command, done: (exitCode: number) => void): void {
  common(org.command('create').description('make an organization'))
    .requiredOption('--name <NAME>', 'its name')
    .action(async (options: Common & { name: string }) => {
      await administer(options, async (admin) => {
        show(options, await createOrganization(admin, options.name, Date.now()));
      });
    });
  common(org.command('list').description('list organizations')).action(async (options: Common) => {
    await administer(options, (admin) => {
      showAll(options, listOrganizations(admin), ['id', 'name', 'createdAt']);
    });
  });
  common(org.command('rename').description('rename an organization'))
    .argument('<ID>')
    .requiredOption('--name <NAME>', 'its new name')
    .action(async (id: string, options: Common & { name: string }) => {
      await administer(options, async (admin) => {
        show(options, await renameOrganization(admin, id, options.name, Date.now()));
      });
    });
  addOrgRules(org.command('rules').description('an organization’s own rules and allow-list'), done);
}
