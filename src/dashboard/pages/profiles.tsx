import { useMay } from '../context.js';
import { useProfiles } from '../directory.js';
import { formatCount } from '../format.js';
import { policyCodes } from '../policies.js';
import { href } from '../router.js';
import type { PageProps } from '../routes.js';
import { percent } from '../ui/bars.js';
import { PageHead } from '../ui/page-head.js';
import { Loaded } from '../ui/states.js';
import { Table } from '../ui/table.js';
import { Time } from '../ui/tags.js';
import type { Profile } from '../wire.js';
import { ProfilePage } from './profile.js';
import { scopeWords } from './profile-change.js';
import { ProfileName } from './profile-name.js';

/** What is enforced, as named sets of policies: those that come with Merlon, and the organization's own. */
export function ProfilesPage({ id, query }: PageProps) {
  return id === '' ? <ProfileList /> : <ProfilePage id={id} from={query.get('from') ?? 'default'} />;
}

function ProfileList() {
  const profiles = useProfiles();
  const mayChange = useMay('admin');
  return (
    <>
      <PageHead
        title="Profiles"
        intro="A profile says which policies are enforced, how sensitive each is, which messages are scanned, and whether text is kept. Every application has one, and so has every user for scans without an application."
        actions={
          mayChange && (
            <a class="button primary" href={`${href('profiles', 'new')}?from=default`}>
              New profile
            </a>
          )
        }
      />
      <Loaded resource={profiles} what="profiles">
        {(rows) => (
          <Table
            caption="Profiles"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                name: 'Profile',
                cell: (profile) => (
                  <a href={href('profiles', profile.id)}>
                    <ProfileName profile={profile} />
                  </a>
                ),
              },
              {
                name: 'From',
                cell: ({ origin }) => (origin === 'shipped' ? 'Merlon' : 'your organization'),
              },
              { name: 'Policies', cell: (profile) => <ModeStrip profile={profile} /> },
              { name: 'Scanned', cell: ({ scan_scope }) => scopeWords[scan_scope] },
              { name: 'Text kept', cell: ({ store_text }) => store_text },
              { name: 'Used by', cell: usedBy },
              {
                name: 'Changed',
                cell: ({ updated_at }) =>
                  updated_at === null ? <span class="quiet none">–</span> : <Time iso={updated_at} ago />,
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

/** All policies of a profile at a glance: one bar each, filled where it is enforced, higher where it is more sensitive. */
function ModeStrip({ profile }: { readonly profile: Profile }) {
  const modes = policyCodes.map((code) => {
    const { mode, threshold } = profile.policies[code] ?? { mode: 'off', threshold: 1 };
    return { code, mode, sensitivity: mode === 'off' ? 0.2 : 1 - threshold };
  });
  const count = (mode: string) => modes.filter((one) => one.mode === mode).length;
  const words = `${count('enforce')} enforced, ${count('monitor')} monitored, ${count('off')} off`;
  return (
    <span class="mode-strip" role="img" aria-label={words} title={words}>
      {modes.map(({ code, mode, sensitivity }) => (
        <span key={code} class={`mode-cell mode-${mode}`} style={{ height: percent(sensitivity, 1) }} />
      ))}
    </span>
  );
}

function usedBy({ used_by }: Profile) {
  const parts = [
    ...(used_by.applications > 0 ? [formatCount(used_by.applications, 'application')] : []),
    ...(used_by.users > 0 ? [formatCount(used_by.users, 'user')] : []),
  ];
  return parts.length === 0 ? <span class="quiet">nobody</span> : parts.join(', ');
}
