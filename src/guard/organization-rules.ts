import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Actor, AuditAct } from '../domain/audit.js';
import {
  type CustomRule,
  type CustomRules,
  type CustomRulesReport,
  type CustomRulesRevision,
  customRuleId,
  customRuleNumber,
  type StoredCustomRules,
} from '../domain/custom-rules.js';
import { isError } from '../domain/diagnostic.js';
import { type FieldError, GuardError, invalidInput } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import type { RulesCompiler } from '../pool/rules-compiler.js';
import type { Store, Writes } from '../store/store.js';
import { auditAct, changesBetween } from './audit.js';
import type { VersionedRules } from './overlays.js';

/**
 * Administration of an organization's own rules. Whoever calls has made sure that the organization is the caller's.
 * `StoreError`s pass through; so do the compiler's `overloaded`, `deadline` and `worker_lost`, after which nothing has
 * changed.
 */
export interface OrganizationRules {
  find(organizationId: string): StoredCustomRules | undefined;
  /** All problems of a rule set that is not saved. Rules without an id get the ones that saving would give them. */
  check(organizationId: string, rules: CustomRules): Promise<CheckedRules>;
  /**
   * Replaces the organization's rules, effective with the next scan. Throws `invalid_input` with all errors of rules that
   * do not compile or fail their examples, and `conflict` for a base that somebody else has changed, or where somebody
   * changes the rules each of `limits.customSaveTriesMax` times; then nothing has changed. Rules that are empty are removed.
   */
  save(organizationId: string, rules: CustomRules, by: SavedBy): Promise<SavedRules>;
  /** False where there were none. */
  remove(organizationId: string, by: SavedBy): Promise<boolean>;
  /** The program of rules that are not saved. Throws `invalid_input` as `save` does. */
  compile(organizationId: string, rules: CustomRules): Promise<CompiledRules>;
  /** The states that the rules were in, newest first, today's included. */
  history(organizationId: string): readonly CustomRulesRevision[];
  /**
   * Puts the rules back into a former state, which is a change like any other: checked, compiled, and the newest of the
   * history. Throws `invalid_input` for a revision that is not kept, and `conflict` as `save` does.
   */
  rollBack(organizationId: string, revision: number, by: SavedBy): Promise<SavedRules>;
}

interface SavedBy {
  readonly now: number;
  readonly actor: Actor;
  /** The version that the change is made to, null where there are no rules; without it, whichever there is. */
  readonly baseVersion?: string | null | undefined;
}

interface CheckedRules {
  readonly rules: CustomRules;
  readonly report: CustomRulesReport;
}

interface CompiledRules {
  /** Each with its id. */
  readonly rules: VersionedRules;
  readonly program: WebAssembly.Memory;
}

interface SavedRules {
  /** Absent where they were empty. */
  readonly stored?: StoredCustomRules;
  readonly report: CustomRulesReport;
}

/** `overlays` are those of a service in this process; other processes find out by themselves. */
export function createOrganizationRules(
  store: Store,
  compiler: Pick<RulesCompiler, 'check'>,
  overlays?: { prepare(rules: VersionedRules, program: WebAssembly.Memory): void | Promise<void> },
): OrganizationRules {
  const check = async (rules: CustomRules) => {
    if (JSON.stringify(rules).length > limits.customSourceUnitsMax) {
      const message = `must have ${limits.customSourceUnitsMax} characters at the most, as JSON`;
      throw new GuardError('invalid_input', `The rules ${message}.`, [{ pointer: '', message }]);
    }
    return compiler.check(rules);
  };
  const remove = (write: Writes, organizationId: string, by: SavedBy): boolean => {
    const before = store.customRules.get(organizationId);
    if (!write.customRules.remove(organizationId, stamp(by))) return false;
    write.audit(rulesAct(organizationId, 'rules.delete', by, before, undefined));
    return true;
  };
  /** One save after the other, so that none of this process makes another one compile again. */
  let saving: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting >= limits.customCompileQueueMax) {
      throw new GuardError('overloaded', 'Too many rule sets wait to be saved.');
    }
    waiting++;
    const turn = saving.then(work);
    saving = turn.catch(() => {});
    return turn.finally(() => {
      waiting--;
    });
  };
  const checkBase = (organizationId: string, { baseVersion }: SavedBy): void => {
    if (baseVersion === undefined || baseVersion === (store.customRules.get(organizationId)?.version ?? null)) return;
    throw changedMeanwhile();
  };
  /** The state of today or, where the rules were removed, the last one: it knows which numbers were given. */
  const newest = (organizationId: string) => store.customRules.history(organizationId, 1)[0];
  /** One try; undefined where somebody else has changed the rules since they were numbered, so that an id may be given twice. */
  const trySave = async (
    organizationId: string,
    given: CustomRules,
    by: SavedBy,
    action: AuditAct['action'],
  ): Promise<SavedRules | undefined> => {
    checkBase(organizationId, by);
    const last = newest(organizationId);
    const { rules, lastNumber } = numbered(given, last);
    const { report, program } = await check(rules);
    if (!program) throw refusal(report);
    const draft = { organizationId, version: versionOf(rules), ...rules, lastNumber, ...stamp(by) };
    const isEmpty = rules.rules.length === 0 && rules.allow.length === 0;
    if (!isEmpty && !isSame(store.customRules.get(organizationId), draft)) await overlays?.prepare(draft, program);
    return store.change((write) => {
      if (newest(organizationId)?.revision !== last?.revision) return undefined;
      if (isEmpty) {
        remove(write, organizationId, by);
        return { report };
      }
      const before = store.customRules.get(organizationId);
      if (before && isSame(before, draft)) return { stored: before, report };
      write.audit(rulesAct(organizationId, action, by, before, draft));
      return { stored: write.customRules.put(draft), report };
    });
  };
  const save = async (
    organizationId: string,
    given: CustomRules,
    by: SavedBy,
    action: AuditAct['action'] = 'rules.update',
  ): Promise<SavedRules> => {
    for (let tries = 0; tries < limits.customSaveTriesMax; tries++) {
      const saved = await trySave(organizationId, given, by, action);
      if (saved) return saved;
    }
    throw changedMeanwhile();
  };
  return {
    find: (organizationId) => store.customRules.get(organizationId),
    check: async (organizationId, given) => {
      const { rules } = numbered(given, newest(organizationId));
      return { rules, report: (await check(rules)).report };
    },
    compile: async (organizationId, given) => {
      const { rules } = numbered(given, newest(organizationId));
      const { report, program } = await check(rules);
      if (!program) throw refusal(report);
      return { rules: { ...rules, version: versionOf(rules) }, program };
    },
    save: (organizationId, given, by) => inTurn(() => save(organizationId, given, by)),
    remove: (organizationId, by) => inTurn(() => store.change((write) => remove(write, organizationId, by))),
    history: (organizationId) => store.customRules.history(organizationId),
    rollBack: (organizationId, revision, by) =>
      inTurn(async () => {
        const state = store.customRules.history(organizationId).find((each) => each.revision === revision);
        if (state) return save(organizationId, { rules: state.rules, allow: state.allow }, by, 'rules.rollback');
        const message = 'is not a revision that is kept';
        throw new GuardError('invalid_input', `/revision ${message}.`, [{ pointer: '/revision', message }]);
      }),
  };
}

function changedMeanwhile(): GuardError {
  return new GuardError('conflict', 'The rules were changed meanwhile.');
}

/** Whether a save would change nothing. */
function isSame(before: StoredCustomRules | undefined, draft: Omit<StoredCustomRules, 'revision'>): boolean {
  return before?.lastNumber === draft.lastNumber && isDeepStrictEqual(saidBy(before), saidBy(draft));
}

function stamp({ now, actor: { userId } }: SavedBy): Pick<StoredCustomRules, 'updatedAt' | 'updatedBy'> {
  return { updatedAt: now, ...(userId === undefined ? {} : { updatedBy: userId }) };
}

/** The rules themselves stay out of the audit log, because their phrases may be secrets; the history has them. */
function rulesAct(
  organizationId: string,
  action: AuditAct['action'],
  { now, actor }: SavedBy,
  before: StoredCustomRules | undefined,
  after: Omit<StoredCustomRules, 'revision'> | undefined,
): AuditAct {
  const fields = (state: Omit<StoredCustomRules, 'revision'> | undefined) =>
    state && { version: state.version, rules: state.rules.map(({ id }) => id), allowed: state.allow.length };
  const target = { kind: 'rules', id: organizationId, name: 'Own rules and allow-list' };
  return auditAct(actor, organizationId, action, target, changesBetween(fields(before), fields(after)), now);
}

/** What people write: a save that changes nothing of it but the order of keys makes no other version. */
function saidBy({ rules, allow }: CustomRules): CustomRules {
  return { rules, allow };
}

/** Names rules by their content: 32 hex digits. */
function versionOf(rules: CustomRules): string {
  return createHash('sha256')
    .update(JSON.stringify(saidBy(rules)))
    .digest('hex')
    .slice(0, 32);
}

/**
 * Gives ids to rules that have none, each behind all that were ever given, and behind those that rules have or had last. An
 * id that was named far beyond them counts only as long as a rule has it, or one request could use up all numbers for good.
 */
function numbered(
  { rules, allow }: CustomRules,
  stored: Pick<StoredCustomRules, 'lastNumber' | 'rules'> | undefined,
): { readonly rules: CustomRules; readonly lastNumber: number } {
  const given = stored?.lastNumber ?? 0;
  const inUse = [...rules, ...(stored?.rules ?? [])].flatMap(({ id }) =>
    id === undefined ? [] : [customRuleNumber(id)],
  );
  const highest = Math.max(given, ...inUse);
  const isFar = highest > given + limits.customIdLeapMax;
  if (isFar && rules.some(({ id }) => id === undefined)) {
    const far = `${customRuleId(highest)}, more than ${limits.customIdLeapMax} beyond the last one given`;
    throw invalidRules(`get no ids behind ${far}: save that rule with a lower id first, or name all ids`);
  }
  let lastNumber = isFar ? given : highest;
  const named = rules.map(({ id, ...rule }): CustomRule => ({ id: id ?? customRuleId(++lastNumber), ...rule }));
  if (lastNumber > highestNumber) {
    throw invalidRules(
      `leave no number free up to ${highestNumber}: name ids yourself, those of rules that you removed`,
    );
  }
  return { rules: { rules: named, allow }, lastNumber };
}

function invalidRules(message: string): GuardError {
  return invalidInput([{ pointer: '/rules', message }]);
}

/** Four digits. */
const highestNumber = 9_999;

function refusal({ diagnostics }: CustomRulesReport): GuardError {
  const errors = diagnostics.filter(isError);
  const fields = errors
    .slice(0, limits.problemErrorsMax)
    .map(({ code, pointer, message }): FieldError => ({ pointer, message, code }));
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  return new GuardError('invalid_input', `The rules have ${count}; nothing was changed.`, fields);
}
