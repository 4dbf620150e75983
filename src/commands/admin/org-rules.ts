import type { Command } from 'commander';
import { Compile } from 'typebox/compile';
import { stringify } from 'yaml';
import { checkedBody, storedBody } from '../../api/custom-rules-operations.js';
import { customRulesRequest } from '../../api/custom-rules-schemas.js';
import { readFolders } from '../../config.js';
import type { CustomDiagnostic, CustomRules } from '../../domain/custom-rules.js';
import { isError } from '../../domain/diagnostic.js';
import { GuardError } from '../../domain/errors.js';
import { readBuildInfo } from '../../guard/build-info.js';
import { createOrganizationRules, type OrganizationRules } from '../../guard/organization-rules.js';
import { customRulesCache } from '../../load-rules.js';
import { createRulesCompiler } from '../../pool/rules-compiler.js';
import { type Diagnostic, diagnosticCodes, formatDiagnostic } from '../../rules/diagnostic.js';
import { notUtf8 } from '../../rules/read.js';
import { rulesErrorOf } from '../../rules/rules-error.js';
import { parseYamlFile, type YamlFile } from '../../rules/yaml-file.js';
import { pathOf } from '../../rules/yaml-path.js';
import { openMemoryStore } from '../../store/memory/memory-store.js';
import type { Store } from '../../store/store.js';
import { readWholeText } from '../lines.js';
import { loadRules } from '../ruleset.js';
import { note, print } from '../terminal.js';
import { administer, type Common, common, organizationOf, show } from './administer.js';

interface RulesOptions extends Common {
  readonly org?: string;
  readonly file: string;
}

/** `merlon org rules …` */
export function addOrgRules(parent: Command, done: (exitCode: number) => void): void {
  const add = (name: string, description: string) =>
    common(parent.command(name).description(description)).option(
      '--org <ID>',
      'organization; the oldest when left out',
    );
  const addWithFile = (name: string, description: string) =>
    add(name, description).option('--file <FILE>', 'rules and allow-list as YAML or JSON; - is standard input', '-');
  addWithFile('check', 'compile a file of rules and run its examples; exit code 1 on any error').action(
    async (options: RulesOptions) => done(await check(options)),
  );
  addWithFile('set', 'replace the organization’s rules by those of a file').action(set);
  add('show', 'print the organization’s rules as a file that `set` takes').action(async (options: RulesOptions) => {
    await administer(options, (admin) => {
      const { version, updated_at, updated_by, ...rules } = storedBody(
        admin.store.customRules.get(organizationOf(admin, options.org)),
      );
      print(options.json ? JSON.stringify({ version, updated_at, updated_by, ...rules }) : stringify(rules).trimEnd());
    });
  });
  add('remove', 'remove the organization’s rules and allow-list').action(async (options: RulesOptions) => {
    await administer(options, async (admin, rulesFolder) => {
      const id = organizationOf(admin, options.org);
      await using(admin.store, rulesFolder, async (ofOrganizations) => {
        show(options, {
          organizationId: id,
          removed: await ofOrganizations.remove(id, { now: Date.now(), actor: admin.actor }),
        });
      });
    });
  });
}

/** Needs a data folder only where one is named, so that a file can be checked anywhere. */
async function check(options: RulesOptions): Promise<number> {
  if (options.org === undefined && options.data === undefined) {
    return using(openMemoryStore(), readFolders(undefined).rulesFolder, (rules) => checkFile(options, rules, ''));
  }
  let exitCode = 0;
  await administer(options, async (admin, rulesFolder) => {
    const id = organizationOf(admin, options.org);
    exitCode = await using(admin.store, rulesFolder, (rules) => checkFile(options, rules, id));
  });
  return exitCode;
}

async function checkFile(options: RulesOptions, organizations: OrganizationRules, id: string): Promise<number> {
  const { parsed, diagnostics } = await readFile(options.file);
  const checked = parsed && (await organizations.check(id, parsed.rules));
  const all = checked ? checked.report.diagnostics.map((each) => placed(parsed.file, each)) : diagnostics;
  const errors = all.filter(isError).length;
  if (options.json) {
    const report = checked ? checkedBody(checked.rules, checked.report) : { valid: false };
    print(JSON.stringify({ ...report, diagnostics: all }));
    return errors > 0 ? 1 : 0;
  }
  for (const diagnostic of all) print(formatDiagnostic(diagnostic));
  const { patterns = 0, needles = 0, examples = 0 } = checked?.report ?? {};
  note(
    `${checked?.rules.rules.length ?? 0} rules, ${checked?.rules.allow.length ?? 0} allowed phrases, ${patterns} patterns, ` +
      `${needles} needles, ${examples} examples: ${errors} errors, ${all.length - errors} warnings`,
  );
  return errors > 0 ? 1 : 0;
}

async function set(options: RulesOptions): Promise<void> {
  const { parsed, diagnostics } = await readFile(options.file);
  if (!parsed) throw rulesErrorOf(diagnostics);
  await administer(options, async (admin, rulesFolder) => {
    const id = organizationOf(admin, options.org);
    await using(admin.store, rulesFolder, async (organizations) => {
      const saved = await organizations
        .save(id, parsed.rules, { now: Date.now(), actor: admin.actor })
        .catch(async (error: unknown) => {
          throw await inFile(parsed, error, () => organizations.check(id, parsed.rules));
        });
      for (const warning of saved.report.diagnostics) note(formatDiagnostic(placed(parsed.file, warning)));
      const { rules = [], allow = [], version = null } = saved.stored ?? {};
      show(options, { organizationId: id, version, rules: rules.length, allowed: allow.length });
    });
  });
}

/** Administration with a compiler of its own, which is stopped when the work is done. */
async function using<T>(
  store: Store,
  rulesFolder: string,
  work: (organizations: OrganizationRules) => Promise<T>,
): Promise<T> {
  const shippedIds = loadRules(rulesFolder).program.rules.map(({ id }) => id);
  const compiler = createRulesCompiler({ shippedIds, rulesFolder, cache: customRulesCache(readBuildInfo()) });
  try {
    return await work(createOrganizationRules(store, compiler));
  } finally {
    await compiler.close();
  }
}

const schema = Compile(customRulesRequest);

interface ParsedRules {
  readonly file: YamlFile<unknown>;
  readonly rules: CustomRules;
}

async function readFile(
  path: string,
): Promise<{ readonly parsed?: ParsedRules; readonly diagnostics: readonly Diagnostic[] }> {
  const text = await readWholeText(path, '--file');
  if (typeof text !== 'string') return { diagnostics: [notUtf8(path, text)] };
  const { parsed, diagnostics } = parseYamlFile(path, text, schema);
  if (!parsed) return { diagnostics };
  const { rules = [], allow = [] } = parsed.value;
  return { parsed: { file: parsed, rules: { rules, allow } }, diagnostics };
}

/** What was found at a pointer, at its line of the file. */
function placed(
  file: YamlFile<unknown>,
  found: Pick<CustomDiagnostic, 'pointer' | 'message'> & { code?: string; character?: number },
): Diagnostic {
  const code = Object.keys(diagnosticCodes).find(
    (known): known is keyof typeof diagnosticCodes => known === found.code,
  );
  return file.diagnostic(code ?? 'E102', found.message, pathOf(found.pointer), found.character ?? 0);
}

/**
 * A refusal with each error at its place in the file. It has the form of the API's, in which a field has no character: what
 * a check of the same rules finds has one.
 */
async function inFile(
  { file }: ParsedRules,
  error: unknown,
  check: () => ReturnType<OrganizationRules['check']>,
): Promise<unknown> {
  if (!(error instanceof GuardError) || error.code !== 'invalid_input') return error;
  const found = await check().then(
    ({ report }) => report.diagnostics.map((each) => placed(file, each)).filter(isError),
    // Rules that cannot even be checked: too many, or without a number for each.
    () => [],
  );
  const all = found.length > 0 ? found : error.fields.map((field) => placed(file, field));
  return rulesErrorOf(all);
}
