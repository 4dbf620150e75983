import { Command, CommanderError } from 'commander';
import { ConfigError, readFolders, showsStacks } from '../config.js';
import { GuardError } from '../domain/errors.js';
import { readBuildInfo } from '../guard/build-info.js';
import type { BackupOptions } from './backup.js';
import type { BenchOptions } from './bench.js';
import type { EvalFlags } from './eval-options.js';
import type { NewRuleOptions } from './rules-new.js';
import type { ReloadOptions } from './rules-reload.js';
import type { ServeOptions } from './serve.js';
import { note, UsageError } from './terminal.js';
import type { TrainFlags } from './train.js';

/*
 * What a command needs is loaded when it runs: `--help` and scripts that call `merlon` often should not wait for
 * parts that they do not use.
 */

/** Runs one command line and gives its exit code: 0 success, 1 as the command says, 2 wrong usage or failure. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  const done = (code: number) => {
    exitCode = code;
  };
  try {
    const merlon = await commandTree(argv, done);
    await merlon.parseAsync(argv);
    return exitCode;
  } catch (error) {
    return failure(error);
  }
}

async function commandTree(argv: readonly string[], done: (exitCode: number) => void): Promise<Command> {
  const merlon = new Command('merlon')
    .description('A guard for language-model traffic: finds OWASP GenAI Top 10 risks in messages, with exact spans.')
    .version(readBuildInfo().version)
    .exitOverride()
    .showHelpAfterError('(--help lists what there is)');
  addServe(merlon, done);
  addScan(merlon, done);
  addMcp(merlon, done);
  addRules(merlon, done);
  addEval(merlon, done);
  addTrain(merlon, done);
  addBench(merlon, done);
  addBackup(merlon);
  for (const [name, description, load] of adminCommands) {
    const parent = merlon.command(name).description(description);
    if (argv.includes(name)) (await load())(parent, done);
  }
  addHelp(merlon);
  return merlon;
}

/** To each command that has others below it: commander's own `help` does not say which name it does not know. */
function addHelp(parent: Command): void {
  if (parent.commands.length === 0) return;
  parent.commands.forEach(addHelp);
  parent
    .command('help')
    .argument('[command...]')
    .description('display help for command')
    .action((names: string[]) => {
      let asked = parent;
      for (const name of names) {
        const found = asked.commands.find((command) => command.name() === name);
        asked = found ?? asked.error(`error: unknown command '${name}'`);
      }
      asked.help();
    });
}

/** Of commands that scan. */
const profileOption = [
  '--profile <ID>',
  'a profile of the rules folder; shipped are default, strict and observe',
  'default',
] as const;

type AddCommands = (parent: Command, done: (exitCode: number) => void) => void;

/** Commands over the data folder; their subcommands are added only when the command line names them. */
const adminCommands: readonly [name: string, description: string, load: () => Promise<AddCommands>][] = [
  ['org', 'organizations', async () => (await import('./admin/org.js')).addOrg],
  ['user', 'users, who own tokens', async () => (await import('./admin/user.js')).addUser],
  ['app', 'applications; the id of one is the app_uuid of scans', async () => (await import('./admin/app.js')).addApp],
  ['profile', 'profiles: which policies are on', async () => (await import('./admin/profile.js')).addProfile],
  ['token', 'access tokens and service keys', async () => (await import('./admin/token.js')).addToken],
];

function addServe(merlon: Command, done: (exitCode: number) => void): void {
  merlon
    .command('serve')
    .description('run the service until SIGTERM, then drain')
    .option('--host <HOST>', 'address to listen on (MERLON_HOST, 127.0.0.1)')
    .option('--port <PORT>', 'port to listen on, 0 for a free one (MERLON_PORT, 8686)')
    .option('--data <DIR>', 'data folder, made on the first run (MERLON_DATA, ./data)')
    .action(async (options: ServeOptions) => {
      const { serve } = await import('./serve.js');
      done(await serve(options));
    });
}

function addBackup(merlon: Command): void {
  merlon
    .command('backup')
    .description('copy the data to a folder, also while the service runs')
    .argument('<DIR>', 'a folder that does not exist or is empty; it can be a data folder itself')
    .option('--data <DIR>', 'data folder (MERLON_DATA, ./data)')
    .option('--json', 'as JSON')
    .action(async (folder: string, options: BackupOptions) => {
      const { backup } = await import('./backup.js');
      await backup(folder, options);
    });
}

function addScan(merlon: Command, done: (exitCode: number) => void): void {
  merlon
    .command('scan')
    .description('scan files or standard input in this process; exit code 0 clean, 1 flagged, 2 error')
    .argument('[FILE...]', 'files to scan; - is standard input', ['-'])
    .option('--json', 'print the verdicts as JSON; where a file cannot be read, nothing')
    .option('--jsonl', 'bulk: one JSON object a line in, one verdict a line out; exit code 1 when a line was in error')
    .option('--policies <CODES>', 'only these policies, e.g. LLM01,LLM02')
    .option(...profileOption)
    .action(async (files: string[], options: { json?: true; jsonl?: true; policies?: string; profile: string }) => {
      const { chooseProfile, loadRules } = await import('./ruleset.js');
      const rules = loadRules();
      const profile = chooseProfile(rules, options.profile, options.policies);
      if (!options.jsonl) {
        const { scanFiles } = await import('./scan-text.js');
        return done(await scanFiles(files, rules, profile, options.json === true));
      }
      if (files.length > 1) throw new UsageError('--jsonl takes one FILE');
      const { scanJsonl } = await import('./scan-jsonl.js');
      return done(await scanJsonl(files[0], rules, profile));
    });
}

function addMcp(merlon: Command, done: (exitCode: number) => void): void {
  merlon
    .command('mcp')
    .description('an MCP server on standard input and output, for desktop agents: no service and no token needed')
    .option(...profileOption)
    .action(async ({ profile }: { profile: string }) => {
      const { serveMcp } = await import('./mcp.js');
      done(await serveMcp(profile));
    });
}

function addRules(merlon: Command, done: (exitCode: number) => void): void {
  const rules = merlon.command('rules').description('the rules: check them, list them, show one');
  addReload(rules, done);
  rules
    .command('check')
    .description('compile the rules and run their examples; exit code 1 on any error')
    .argument('[DIR]', 'folder of rule packs (MERLON_RULES, the shipped ones)')
    .action(async (folder?: string) => {
      done((await import('./rules.js')).checkRules(folder));
    });
  rules
    .command('list')
    .description(
      'list the rules as they are written, without compiling them; exit code 1 where a file has an error of form, and those without are listed',
    )
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: true }) => {
      done((await import('./rules.js')).listRules(json === true));
    });
  rules
    .command('show')
    .description('show one rule: why, what it misses, examples, references')
    .argument('<ID>', 'for instance LLM01-0001')
    .option('--json', 'as JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      done((await import('./rules.js')).showRule(id, json === true));
    });
  rules
    .command('profile')
    .description('what each rule costs on messages: needles seen, regex runs, µs per KB, share of the total')
    .requiredOption('--data <PATH...>', 'JSONL with a "text" each, labelled or not: files, folders of them, or -')
    .option(...profileOption)
    .option('--top <N>', 'rules to print, dearest first', '40')
    .option('--json', 'every rule and pattern as JSON')
    .action(async (options: { data: string[]; profile: string; top: string; json?: true }) => {
      const { wholeNumber } = await import('./eval-options.js');
      const { chooseProfile, loadRules } = await import('./ruleset.js');
      const { profileRules } = await import('./rules-profile.js');
      const chosen = { data: options.data, top: wholeNumber('--top', options.top), json: options.json === true };
      const compiled = loadRules();
      done(await profileRules(chosen, compiled, chooseProfile(compiled, options.profile, undefined)));
    });
  rules
    .command('new')
    .description('write the skeleton of a new rule with the next free id; `merlon rules check` says what to fill in')
    .requiredOption('--policy <CODE>', 'e.g. LLM01')
    .requiredOption('--label <LABEL>', 'lowercase words joined by -; rules of one detector share a label')
    .option('--pack <NAME>', 'pack file in the folder of the policy, made when it is missing; the label when left out')
    .option('--dir <DIR>', 'folder of rule packs (MERLON_RULES, the shipped ones)')
    .action(
      async ({
        dir = readFolders(undefined).rulesFolder,
        ...options
      }: Omit<NewRuleOptions, 'dir'> & { dir?: string }) => {
        done(await (await import('./rules-new.js')).newRule({ ...options, dir }));
      },
    );
}

function addReload(rules: Command, done: (exitCode: number) => void): void {
  rules
    .command('reload')
    .description(
      'have a running service load its rules anew; exit code 1 where they are broken, and nothing has changed',
    )
    .option('--url <URL>', 'of the service (MERLON_HOST and MERLON_PORT); its token, scope admin, is in MERLON_TOKEN')
    .option('--json', 'as JSON')
    .action(async (options: ReloadOptions) => done(await (await import('./rules-reload.js')).reloadRules(options)));
}

function addEval(merlon: Command, done: (exitCode: number) => void): void {
  merlon
    .command('eval')
    .description('judge labelled data: recall, false positives and spans by policy, source, language and rule')
    .requiredOption('--data <PATH...>', 'labelled JSONL: files, folders of them, or - for standard input')
    .option('--out <DIR>', 'write result.json, cases.jsonl and report.html there')
    .option('--baseline <FILE>', "an earlier run's result.json to compare with")
    .option('--fail-on-regression', 'exit code 1 where an attack was newly lost or a benign sample newly flagged')
    .option(...profileOption)
    .option('--policies <CODES>', 'only these policies, e.g. LLM01,LLM02; attacks of others are left out')
    .option('--by <TABLES>', 'tables to print: policy,source,lang,attack_type,role,rule,spans', 'policy,source,spans')
    .option('--worst <N>', 'clusters of misses and of false positives to print', '20')
    .option('--debatable <SOURCES>', 'sources whose benign labels are in doubt: also give the total without them')
    .option('--span-types <TYPES>', 'types of labelled spans that count; those with a shape when left out')
    .option('--show-text', 'show losing cases in full instead of short redacted previews')
    .option('--json', 'the result as JSON')
    .action(async (options: EvalFlags) => {
      const { readEvalOptions } = await import('./eval-options.js');
      const chosen = readEvalOptions(options);
      const { chooseProfile, loadRules } = await import('./ruleset.js');
      const rules = loadRules();
      const { evaluate } = await import('./eval.js');
      done(await evaluate(chosen, rules, chooseProfile(rules, options.profile, options.policies)));
    });
}

function addTrain(merlon: Command, done: (exitCode: number) => void): void {
  merlon
    .command('train')
    .description('learn a model from labelled data: the model, its datasheet, and how it did in cross-validation')
    .requiredOption('--data <PATH...>', 'labelled JSONL: files or folders of them')
    .requiredOption('--out <FILE>', 'the model, a name that ends in .model; the datasheet is written beside it')
    .option('--recipe <FILE>', 'YAML: policies, families of sources, and what else is not as by default')
    .option('--name <NAME>', 'what model_version says')
    .option('--policies <CODES>', 'one head each, four at the most, e.g. LLM01,LLM07')
    .option('--date <DATE>', "the datasheet's date; today when left out")
    .option('--worst <N>', 'most wrong cases to print of each kind, by id', '10')
    .option('--json', 'the summary as JSON')
    .action(async (flags: Omit<TrainFlags, 'worst'> & { worst: string }) => {
      const { wholeNumber } = await import('./eval-options.js');
      const { loadRules } = await import('./ruleset.js');
      const { trainModel } = await import('./train.js');
      const folder = readFolders(undefined).rulesFolder;
      done(await trainModel({ ...flags, worst: wholeNumber('--worst', flags.worst) }, loadRules(), folder));
    });
}

function addBench(merlon: Command, done: (exitCode: number) => void): void {
  merlon
    .command('bench')
    .description('the benchmarks: ratios against rivals in one run (in a clone of the sources)')
    .argument('[SUBJECT]', 'engine or service', 'engine')
    .option('--json', 'the record as JSON')
    .option('--quick', 'fewer and shorter rounds')
    .option(
      '--only <TEXT>',
      'of service: only the groups whose name contains it, e.g. "500 B, 32", "mixed", "overload"',
    )
    .option('--data <FILE>', 'ordinary messages as JSON lines with a "text" each; a sample of our own when left out')
    .option('--no-install', 'leave the rivals from npm alone; those that are missing are left out')
    .action(async (subject: string, options: BenchOptions) => {
      const { bench } = await import('./bench.js');
      done(await bench(subject, options));
    });
}

/** Failures that a caller can understand and mend, by the name of their class: see where each is thrown. */
const expectedFailures = new Set(['UsageError', 'RulesError', 'StoreError']);

/** Node.js 20 throws what a module of CommonJS throws while it loads twice: to whoever imports it, and once more to nobody. */
const said = new Set<unknown>();

/** Says what went wrong, in a sentence, and gives the exit code: 1 is an answer of some commands, so it is never that. */
export function failure(error: unknown): number {
  if (said.has(error)) return 2;
  said.add(error);
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof GuardError) {
    // What is wrong with a single field the message says.
    const fields = error.fields.length < 2 ? [] : error.fields;
    note([error.message, ...fields.map(({ pointer, message }) => `  ${pointer}: ${message}`)].join('\n'));
    return 2;
  }
  if (error instanceof ConfigError || (error instanceof Error && expectedFailures.has(error.name))) {
    note(error.message);
    return 2;
  }
  if (error instanceof Error && /re2\.node/.test(error.message)) {
    const why = error.message.includes('NODE_MODULE_VERSION')
      ? `re2 was built for another version of Node.js than ${process.version}`
      : 're2 has no binary for this machine, because its install script did not run';
    note(`${why}: npm rebuild re2`);
    return 2;
  }
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  note(`merlon: unexpected error: ${message.split('\n', 1)[0]} (MERLON_LOG_LEVEL=debug shows where)`);
  if (showsStacks()) note(stack);
  return 2;
}
