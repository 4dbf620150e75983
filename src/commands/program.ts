import { Command, CommanderError } from 'commander';
import { ConfigError, readFolders } from '../config.js';
import { GuardError } from '../domain/errors.js';
import { StoreError } from '../store/store.js';
import { addApp } from './admin/app.js';
import { addOrg } from './admin/org.js';
import { addProfile } from './admin/profile.js';
import { addToken } from './admin/token.js';
import { addUser } from './admin/user.js';
import { checkRules, listRules, showRule } from './rules.js';
import { chooseProfile, loadSoundRuleset, RulesError } from './ruleset.js';
import { scanJsonl } from './scan-jsonl.js';
import { scanFiles } from './scan-text.js';
import { type ServeOptions, serve } from './serve.js';
import { note, UsageError } from './terminal.js';

/** Runs one command line and gives its exit code: 0 success, 1 as the command says, 2 wrong usage or failure. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  const done = (code: number) => {
    exitCode = code;
  };
  try {
    await commandTree(done).parseAsync(argv);
    return exitCode;
  } catch (error) {
    return failure(error);
  }
}

function commandTree(done: (exitCode: number) => void): Command {
  const merlon = new Command('merlon')
    .description('A guard for language-model traffic: finds OWASP GenAI Top 10 risks in messages, with exact spans.')
    .exitOverride()
    .showHelpAfterError('(--help lists what there is)');
  addServe(merlon, done);
  addScan(merlon, done);
  addRules(merlon, done);
  for (const add of [addOrg, addUser, addApp, addProfile, addToken]) add(merlon);
  return merlon;
}

function addServe(merlon: Command, done: (exitCode: number) => void): void {
  merlon
    .command('serve')
    .description('run the service until SIGTERM, then drain')
    .option('--host <HOST>', 'address to listen on (MERLON_HOST, 127.0.0.1)')
    .option('--port <PORT>', 'port to listen on, 0 for a free one (MERLON_PORT, 8686)')
    .option('--data <DIR>', 'data folder, made on the first run (MERLON_DATA, ./data)')
    .action(async (options: ServeOptions) => done(await serve(options)));
}

function addScan(merlon: Command, done: (exitCode: number) => void): void {
  merlon
    .command('scan')
    .description('scan files or standard input in this process; exit code 0 clean, 1 flagged, 2 error')
    .argument('[FILE...]', 'files to scan; - is standard input', ['-'])
    .option('--json', 'print the verdicts as JSON')
    .option('--jsonl', 'bulk: one JSON object a line in, one verdict a line out; exit code 1 when a line was in error')
    .option('--policies <CODES>', 'only these policies, e.g. LLM01,LLM02')
    .option('--profile <ID>', 'default, strict or observe', 'default')
    .action(async (files: string[], options: { json?: true; jsonl?: true; policies?: string; profile: string }) => {
      const ruleset = loadSoundRuleset(readFolders(undefined).rulesFolder);
      const profile = chooseProfile(ruleset, options.profile, options.policies);
      if (!options.jsonl) return done(scanFiles(files, ruleset, profile, options.json === true));
      if (files.length > 1) throw new UsageError('--jsonl takes one FILE');
      return done(await scanJsonl(files[0], ruleset, profile));
    });
}

function addRules(merlon: Command, done: (exitCode: number) => void): void {
  const rules = merlon.command('rules').description('the rules: check them, list them, show one');
  rules
    .command('check')
    .description('compile the rules and run their examples; exit code 1 on any error')
    .argument('[DIR]', 'folder of rule packs', readFolders(undefined).rulesFolder)
    .action((folder: string) => done(checkRules(folder)));
  rules
    .command('list')
    .description('list what is shipped')
    .option('--json', 'as JSON')
    .action(({ json }: { json?: true }) => done(listRules(readFolders(undefined).rulesFolder, json === true)));
  rules
    .command('show')
    .description('show one rule: why, what it misses, examples, references')
    .argument('<ID>', 'for instance LLM01-0001')
    .option('--json', 'as JSON')
    .action((id: string, { json }: { json?: true }) =>
      done(showRule(readFolders(undefined).rulesFolder, id, json === true)),
    );
}

function failure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const isExpected = [UsageError, ConfigError, RulesError, StoreError].some((kind) => error instanceof kind);
  if (error instanceof Error && isExpected) {
    note(error.message);
    return 2;
  }
  if (error instanceof GuardError) {
    const fields = error.fields.map(({ pointer, message }) => `\n  ${pointer}: ${message}`).join('');
    note(`${error.message}${fields}`);
    return 2;
  }
  throw error;
}
