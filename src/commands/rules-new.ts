import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isPolicyCode, type PolicyCode, policies } from '../domain/policy.js';
import { formatDiagnostic } from '../rules/diagnostic.js';
import { labelLengthMax, packSchema } from '../rules/pack-schema.js';
import { ruleSkeleton } from '../rules/placeholders.js';
import { readRuleFiles } from '../rules/read.js';
import { parseYamlFile } from '../rules/yaml-file.js';
import { withLockFile } from './lock-file.js';
import { writeOutputs } from './outputs.js';
import { pathFromHere } from './rules-folder.js';
import { note, print, UsageError } from './terminal.js';

export interface NewRuleOptions {
  readonly policy: string;
  readonly label: string;
  readonly pack?: string;
  readonly dir: string;
}

/** `merlon rules new`: writes the skeleton of a rule and prints where. One at a time in a folder. Throws `UsageError` and then writes nothing. */
export async function newRule({ policy: code, label, pack = label, dir }: NewRuleOptions): Promise<number> {
  const policy = code.toUpperCase();
  if (!isPolicyCode(policy)) throw new UsageError(`--policy: there is no policy "${code}"`);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(label)) {
    throw new UsageError(`--label must be lowercase words joined by -, not "${label}"`);
  }
  if (label.length > labelLengthMax) {
    throw new UsageError(`--label must have at most ${labelLengthMax} characters, not ${label.length}`);
  }
  const bare = pack.replace(yaml, '');
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(bare) || bare.length > 64) {
    throw new UsageError(`--pack must be a plain file name of at most 64 characters, not "${pack}"`);
  }
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--dir: there is no folder ${dir}`);
  // What is read until it is written must not be what another one is just about to change.
  return withLockFile(join(dir, lockName), '--dir', () => addRule(dir, policy, label, pack));
}

const yaml = /\.ya?ml$/;
const lockName = '.new-rule.lock';

async function addRule(dir: string, policy: PolicyCode, label: string, pack: string): Promise<number> {
  const folder = join(dir, folderOf(dir, policy));
  const bare = pack.replace(yaml, '');
  const names = [...(pack === bare ? [] : [pack]), `${bare}.yaml`, `${bare}.yml`];
  const name = names.find((each) => existsSync(join(folder, each))) ?? `${bare}.yaml`;
  const file = join(folder, name);
  const id = nextId(dir, policy);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : `policy: ${policy}\nrules:\n`;
  const lines = before.endsWith('\n') ? before : `${before}\n`;
  const after = lines + ruleSkeleton(id, label);
  const { parsed } = parseYamlFile(file, after, packSchema());
  // Where the rules are not the last thing in the pack, or are indented otherwise, the skeleton landed elsewhere.
  if (parsed?.value.policy !== policy || parsed.value.rules.at(-1)?.id !== id) {
    throw new UsageError(`--pack: a rule of ${policy} cannot be added at the end of ${file}; name another pack`);
  }
  await writePack(folder, name, after);
  print(`${pathFromHere(folder, name)}:${lines.split('\n').length} ${id}`);
  note('fill it in; `merlon rules check` names each place');
  return 0;
}

/** A folder that was made for a pack that could not be written goes again. */
async function writePack(folder: string, name: string, content: string): Promise<void> {
  const isNew = !existsSync(folder);
  try {
    await writeOutputs(folder, { [name]: content }, { argument: '--dir' });
  } catch (error) {
    if (isNew) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The policy's folder of packs; its name begins with the code. */
function folderOf(dir: string, policy: PolicyCode): string {
  const found = readdirSync(dir).find(
    (entry) => entry.startsWith(policy) && statSync(join(dir, entry), { throwIfNoEntry: false })?.isDirectory(),
  );
  const name = policies.find(({ code }) => code === policy)?.policyName ?? '';
  return found ?? `${policy}-${name.replaceAll('_', '-')}`;
}

/**
 * One more than the highest id that any file names, or where that is the last one the first that none names, so that neither a
 * retired rule's id nor one that is only spoken of is ever given away. Throws `UsageError` where a file cannot be read, and so may name more.
 */
function nextId(dir: string, policy: PolicyCode): string {
  const { packs, retired, diagnostics } = readRuleFiles(dir);
  const unread = diagnostics.find(({ code }) => code === 'E107');
  if (unread) throw new UsageError(`--dir: ${formatDiagnostic(unread)}`);
  const numbers = [...packs, ...(retired ? [retired] : [])].flatMap(({ text }) =>
    [...text.matchAll(new RegExp(`${policy}-(\\d{4})`, 'g'))].map((match) => Number(match[1])),
  );
  const highest = numbers.reduce((most, number) => Math.max(most, number), 0);
  const next = highest < 9_999 ? highest + 1 : firstGap(new Set(numbers));
  if (next > 9_999) throw new UsageError(`--policy: ${policy} has no free id left`);
  return `${policy}-${String(next).padStart(4, '0')}`;
}

/** The first number from 1 on that is not taken. */
function firstGap(taken: ReadonlySet<number>): number {
  let gap = 1;
  while (taken.has(gap)) gap++;
  return gap;
}
