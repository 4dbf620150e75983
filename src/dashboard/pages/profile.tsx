import { useState } from 'preact/hooks';
import { fieldProblem, formProblem, useAction } from '../action.js';
import { useApp, useMay } from '../context.js';
import { useResource } from '../resource.js';
import { href, navigate, useUnsaved } from '../router.js';
import { Foreign } from '../text/foreign-text.js';
import { Busy, doingOf } from '../ui/busy.js';
import { ConfirmButton } from '../ui/dialog.js';
import { Choice, Field } from '../ui/field.js';
import { PageHead } from '../ui/page-head.js';
import { Loaded, ProblemNotice } from '../ui/states.js';
import type { Profile, ProfileVersion, ScanScope, StoreText } from '../wire.js';
import { History } from './history.js';
import { PolicyTable } from './policy-table.js';
import { PreviewPanel } from './preview.js';
import { describeProfileChange } from './profile-change.js';
import { ProfileName, profileName } from './profile-name.js';

/** Shows and changes one profile; `new` begins one as a copy of `from`. */
export function ProfilePage({ id, from }: { readonly id: string; readonly from: string }) {
  const { client } = useApp();
  const isNew = id === 'new';
  const source = isNew ? from : id;
  const profile = useResource(`profile ${source}`, (signal) =>
    client.get<Profile>(`/profiles/${encodeURIComponent(source)}`, { signal }),
  );
  return (
    <>
      <p class="crumb">
        <a href={href('profiles')}>← Profiles</a>
      </p>
      {profile.value === undefined && profile.problem !== undefined && (
        <PageHead
          title={isNew ? 'New profile' : `Profile ${id}`}
          heading={<Foreign text={isNew ? 'New profile' : `Profile ${id}`} />}
        />
      )}
      <Loaded resource={profile} what="the profile">
        {(value) => (
          <ProfileEditor
            key={`${value.id} ${value.version}`}
            profile={value}
            isNew={isNew}
            loading={profile.loading}
            onChanged={profile.replace}
            onReload={profile.reload}
          />
        )}
      </Loaded>
    </>
  );
}

interface EditorProps {
  readonly profile: Profile;
  readonly isNew: boolean;
  /** Another state of it is on its way. */
  readonly loading: boolean;
  onChanged(profile: Profile): void;
  onReload(): void;
}

function ProfileEditor({ profile, isNew, loading, onChanged, onReload }: EditorProps) {
  const { client, notify } = useApp();
  const isAdmin = useMay('admin');
  const editable = isAdmin && (isNew || profile.origin === 'organization');
  const first = {
    title: isNew ? `${profile.title}, adapted` : profile.title,
    policies: profile.policies,
    store_text: profile.store_text,
    scan_scope: profile.scan_scope,
  };
  const [id, setId] = useState('');
  const [title, setTitle] = useState(first.title);
  const [policies, setPolicies] = useState(first.policies);
  const [storeText, setStoreText] = useState<StoreText>(first.store_text);
  const [scanScope, setScanScope] = useState<ScanScope>(first.scan_scope);
  const action = useAction();
  const draft = { title, policies, store_text: storeText, scan_scope: scanScope };
  const doing = doingOf(action.busy, loading);
  /** Somebody else has saved meanwhile. */
  const overtaken = !isNew && action.problem?.status === 409;
  const unsaved = id !== '' || JSON.stringify(draft) !== JSON.stringify(first);
  useUnsaved(unsaved);

  const path = `/profiles/${encodeURIComponent(isNew ? id : profile.id)}`;
  const save = (event: Event) => {
    event.preventDefault();
    action.run(async () => {
      const base = { base_version: isNew ? 0 : (profile.version ?? 0) };
      const saved = await client.send<Profile>('PUT', path, { ...draft, ...base });
      notify(`Saved ${title}. It is enforced from the next scan on.`);
      if (isNew) navigate(href('profiles', id), { replace: true });
      else onChanged(saved);
    });
  };
  return (
    <>
      <PageHead
        title={isNew ? 'New profile' : profile.title}
        heading={isNew ? 'New profile' : <ProfileName profile={profile} />}
        intro={introOf(profile, isNew)}
        actions={isAdmin && !isNew && <ProfileActions profile={profile} path={path} />}
      />
      <Busy doing={doing}>
        <form onSubmit={save}>
          <section class="card">
            {editable && (
              <div class="form-row">
                {isNew && (
                  <Field
                    label="Id"
                    hint="Lowercase letters, digits and hyphens, a letter first; neither “new” nor “preview”. Stays as it is."
                    error={fieldProblem(action.problem, '/id')}
                  >
                    {(control) => (
                      <input
                        {...control}
                        required
                        pattern="(?!(new|preview)$)[a-z][a-z0-9\-]{0,63}"
                        spellcheck={false}
                        value={id}
                        onInput={(event) => setId(event.currentTarget.value)}
                      />
                    )}
                  </Field>
                )}
                <Field label="Title" error={fieldProblem(action.problem, '/title')}>
                  {(control) => (
                    <input
                      {...control}
                      required
                      value={title}
                      onInput={(event) => setTitle(event.currentTarget.value)}
                    />
                  )}
                </Field>
              </div>
            )}
            <PolicyTable policies={policies} editable={editable} onChange={setPolicies} />
            <Choice
              label="Messages that are scanned"
              name="scan-scope"
              value={scanScope}
              disabled={!editable}
              choices={[
                ['all', 'All'],
                ['latest_turn', 'Latest turn'],
              ]}
              onChange={setScanScope}
            />
            <p class="hint">
              The latest turn is what came after the assistant’s last message, or that message where it is the last one.
              What came before is not read again, and flags nothing.
            </p>
            <Choice
              label="Text of scans that is kept with their records"
              name="store-text"
              value={storeText}
              disabled={!editable}
              choices={[
                ['none', 'None'],
                ['redacted', 'Redacted'],
                ['full', 'In full'],
              ]}
              onChange={setStoreText}
            />
            <p class="hint">
              Redacted: what the rules know as sensitive information is covered before it is written. Only people of
              your organization can read kept text.
            </p>
            {editable && (
              <>
                <ProblemNotice
                  problem={formProblem(action.problem, ['/id', '/title'])}
                  retry={overtaken ? onReload : undefined}
                  retryText="Load the current version"
                />
                {overtaken && (
                  <p class="hint">The history below has it, too. What you changed stays here until you load it.</p>
                )}
                <div class="actions">
                  <button type="submit" class="primary">
                    {doing ? `${doing} …` : isNew ? 'Create profile' : 'Save'}
                  </button>
                </div>
              </>
            )}
          </section>
        </form>
        {isAdmin && editable && <PreviewPanel profile={{ policies, scan_scope: scanScope }} against={profile.id} />}
      </Busy>
      {isAdmin && !isNew && profile.origin === 'organization' && (
        <History<ProfileVersion, Profile>
          path={path}
          state={`${profile.version}${overtaken ? ', overtaken' : ''}`}
          base={profile.version ?? 0}
          field="version"
          numberOf={({ version }) => version}
          describe={describeProfileChange}
          unsaved={unsaved}
          onRolledBack={onChanged}
        />
      )}
    </>
  );
}

function ProfileActions({ profile, path }: { readonly profile: Profile; readonly path: string }) {
  const { client, notify } = useApp();
  const remove = async () => {
    await client.send('DELETE', path);
    notify(`Deleted ${profile.title}.`);
    navigate(href('profiles'), { replace: true });
  };
  return (
    <>
      <a class="button small" href={`${href('profiles', 'new')}?from=${encodeURIComponent(profile.id)}`}>
        Copy
      </a>
      {profile.origin === 'organization' && (
        <ConfirmButton label="Delete" name={`Delete ${profile.id}`} title="Delete this profile?" onConfirm={remove}>
          <p>
            <ProfileName profile={profile} /> will be gone for everybody. A profile that is in use cannot be deleted.
          </p>
        </ConfirmButton>
      )}
    </>
  );
}

function introOf(profile: Profile, isNew: boolean): string {
  if (isNew) return `A copy of ${profileName(profile)} to begin with.`;
  if (profile.origin === 'shipped') return 'Comes with Merlon and stays as it is. Copy it to change it.';
  return 'Of your organization. A change is enforced from the next scan on.';
}
