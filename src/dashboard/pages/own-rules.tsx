import { useCallback, useMemo, useState } from 'preact/hooks';
import { formProblem, useAction } from '../action.js';
import { useApp } from '../context.js';
import { formatCount } from '../format.js';
import { useResource } from '../resource.js';
import { useUnsaved } from '../router.js';
import type { PageProps } from '../routes.js';
import { Foreign } from '../text/foreign-text.js';
import { Busy, doingOf } from '../ui/busy.js';
import { focusHeading, PageHead } from '../ui/page-head.js';
import { Loaded, ProblemNotice } from '../ui/states.js';
import { Time } from '../ui/tags.js';
import type { AllowedPhrase, CustomRule, Diagnostic, RulesRevision, StoredRules } from '../wire.js';
import { AllowEditor } from './allow-editor.js';
import { CustomRuleEditor } from './custom-rule-editor.js';
import { DiagnosticsContext, type Said } from './diagnostics.js';
import { History } from './history.js';
import { PreviewPanel } from './preview.js';
import { type RulesCheck, useRulesCheck } from './rules-check.js';

const path = '/organization/rules';
/** The same list each time, so that nobody who reads it is drawn anew. */
const nothingSaid: readonly Said[] = [];
/** Fields that tell what is wrong with them and are always seen; the others lie in a fold, or stand for several. */
const seenField =
  /^\/(rules\/\d+\/(policy|label|title|severity|score|patterns\/\d+)|allow\/\d+\/(phrase|rules|owner|expires_at|why))(\/|$)/;

/** The organization's own rules and its allow-list, checked by the service's compiler while they are typed. */
export function OwnRulesPage(_props: PageProps) {
  const { client } = useApp();
  const stored = useResource('own rules', (signal) => client.get<StoredRules>(path, { signal }));
  return (
    <>
      <PageHead
        title="Own rules"
        intro="Phrases and regexes of your organization, and phrases that are allowed. They join the shipped rules in every scan; whether a match flags is up to the profile."
      />
      <Loaded resource={stored} what="the rules">
        {(value) => (
          <Editor
            key={value.version ?? 'none'}
            stored={value}
            loading={stored.loading}
            onChanged={stored.replace}
            onReload={stored.reload}
          />
        )}
      </Loaded>
    </>
  );
}

/** A rule or phrase with a name that stays while others come and go. */
interface Keyed<Item> {
  readonly key: number;
  readonly item: Item;
}

interface EditorProps {
  readonly stored: StoredRules;
  /** Another state of them is on its way. */
  readonly loading: boolean;
  onChanged(rules: StoredRules): void;
  onReload(): void;
}

function Editor({ stored, loading, onChanged, onReload }: EditorProps) {
  const { client, session, notify } = useApp();
  const rules = useKeyed<CustomRule>(stored.rules);
  const allow = useKeyed<AllowedPhrase>(stored.allow);
  const draft = { rules: rules.items, allow: allow.items };
  const changed = rules.changed || allow.changed;
  useUnsaved(changed);
  const check = useRulesCheck(draft, changed);
  const refused = check.problem?.fields ?? nothingSaid;
  const seen = refused.flatMap(({ pointer }) => (seenField.test(pointer) ? [pointer] : []));
  const action = useAction();
  const doing = doingOf(action.busy, loading);
  /** Somebody else has saved meanwhile. */
  const overtaken = action.problem?.status === 409;
  const save = () =>
    action.run(async () => {
      const saved = await client.send<StoredRules>('PUT', path, { ...draft, base_version: stored.version });
      notify('Saved. Every scan from now on uses these rules.');
      onChanged(saved);
    });
  return (
    <DiagnosticsContext.Provider value={check.checked?.diagnostics ?? refused}>
      <Busy doing={doing}>
        <section>
          <h2>{formatCount(rules.keyed.length, 'rule')}</h2>
          {rules.keyed.map(({ key, item }, at) => (
            <RuleRow key={key} row={key} rule={item} pointer={`/rules/${at}`} set={rules.set} remove={rules.remove} />
          ))}
          <button type="button" onClick={() => rules.add({ policy: 'LLM02', patterns: [{ phrase: '' }] })}>
            Add a rule
          </button>
        </section>
        <section>
          <h2>Allow-list: {formatCount(allow.keyed.length, 'phrase')}</h2>
          <p class="hint">
            A match that lies within an allowed phrase does not count, for the policies or rules named.
          </p>
          {allow.keyed.map(({ key, item }, at) => (
            <AllowEditor
              key={key}
              entry={item}
              pointer={`/allow/${at}`}
              onChange={(next) => allow.set(key, next)}
              onRemove={() => allow.remove(key)}
            />
          ))}
          <button
            type="button"
            onClick={() => allow.add({ phrase: '', policies: ['LLM01'], owner: session.user.email })}
          >
            Allow a phrase
          </button>
        </section>
        <div class="save-bar card">
          <CheckState check={check} changed={changed} stored={stored} />
          <ProblemNotice
            problem={formProblem(check.problem, seen)}
            retry={refused.length === 0 ? check.retry : undefined}
          />
          <ProblemNotice
            problem={action.problem}
            retry={overtaken ? onReload : undefined}
            retryText="Load the current version"
          />
          {overtaken && (
            <p class="hint">The history below has it, too. What you changed stays here until you load it.</p>
          )}
          <button
            type="button"
            class="primary"
            disabled={
              !changed || check.unwritten || check.pending || refused.length > 0 || check.checked?.valid === false
            }
            onClick={save}
          >
            {doing ? `${doing} …` : 'Save'}
          </button>
        </div>
        <PreviewPanel rules={draft} against={session.user.profile_id} />
      </Busy>
      <History<RulesRevision, StoredRules>
        path={path}
        state={`${stored.version ?? 'none'}${overtaken ? ', overtaken' : ''}`}
        base={stored.version}
        field="revision"
        numberOf={({ revision }) => revision}
        describe={(row) => `${formatCount(row.rules, 'rule')}, ${formatCount(row.allowed, 'allowed phrase')}`}
        unsaved={changed}
        onRolledBack={onChanged}
      />
    </DiagnosticsContext.Provider>
  );
}

interface RowProps {
  /** Its key in the list. */
  readonly row: number;
  readonly rule: CustomRule;
  readonly pointer: string;
  set(row: number, rule: CustomRule): void;
  remove(row: number): void;
}

/** Drawn anew only where something about it has changed: of hundreds of rules one is typed in. */
function RuleRow({ row, rule, pointer, set, remove }: RowProps) {
  return useMemo(
    () => (
      <CustomRuleEditor
        rule={rule}
        pointer={pointer}
        onChange={(next) => set(row, next)}
        onRemove={() => remove(row)}
      />
    ),
    [row, rule, pointer, set, remove],
  );
}

interface StateProps {
  readonly check: RulesCheck;
  readonly changed: boolean;
  readonly stored: StoredRules;
}

function CheckState({ check: { checked, problem, pending, unwritten }, changed, stored }: StateProps) {
  if (!changed) {
    return (
      <p role="status">
        {stored.updated_at === null ? (
          'Nothing is saved yet.'
        ) : (
          <>
            As saved <Time iso={stored.updated_at} ago />.
          </>
        )}
      </p>
    );
  }
  if (unwritten) return <p role="status">Checked once no pattern or phrase is empty.</p>;
  if (problem !== undefined && !pending) return <p role="status">Not checked.</p>;
  if (pending || checked === undefined) return <p role="status">Checking …</p>;
  const { diagnostics, examples, valid, patterns } = checked;
  const errors = diagnostics.filter(isError).length;
  return (
    <div role="status">
      <p>
        <span class={valid ? 'tag good' : 'tag flagged'}>{valid ? 'valid' : formatCount(errors, 'error')}</span>{' '}
        {formatCount(patterns, 'pattern')}, {formatCount(examples, 'example')} run
        {diagnostics.length > errors && `, ${formatCount(diagnostics.length - errors, 'warning')}`}
      </p>
      {diagnostics.length > 0 && (
        <ul class="diagnostics">
          {diagnostics.slice(0, 20).map((diagnostic) => (
            <li key={`${diagnostic.pointer} ${diagnostic.code} ${diagnostic.character}`}>
              <code>{diagnostic.code}</code> <code class="quiet">{diagnostic.pointer}</code>{' '}
              <Foreign text={diagnostic.message} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** `E…` keeps rules from being saved, `W…` does not. */
function isError({ code }: Diagnostic): boolean {
  return code.startsWith('E');
}

/** A list that is edited: every item keeps a key of its own. `set` and `remove` stay the same functions. */
function useKeyed<Item>(initial: readonly Item[]) {
  const [keyed, setKeyed] = useState<readonly Keyed<Item>[]>(() => initial.map((item, key) => ({ key, item })));
  const [nextKey, setNextKey] = useState(initial.length);
  const items = keyed.map(({ item }) => item);
  return {
    keyed,
    changed: JSON.stringify(items) !== JSON.stringify(initial),
    items,
    add: (item: Item) => {
      setKeyed([...keyed, { key: nextKey, item }]);
      setNextKey(nextKey + 1);
    },
    set: useCallback((key: number, item: Item) => {
      setKeyed((all) => all.map((one) => (one.key === key ? { key, item } : one)));
    }, []),
    remove: useCallback((key: number) => {
      setKeyed((all) => all.filter((one) => one.key !== key));
      focusHeading();
    }, []),
  };
}
