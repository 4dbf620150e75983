import { useState } from 'preact/hooks';
import { queryString } from '../client.js';
import { useApp, useMay } from '../context.js';
import { listedMax, useApplications, useProfiles } from '../directory.js';
import { href } from '../router.js';
import type { PageProps } from '../routes.js';
import { Foreign } from '../text/foreign-text.js';
import { CopyButton } from '../ui/copy-button.js';
import { ConfirmButton } from '../ui/dialog.js';
import { ListTable } from '../ui/list-table.js';
import { PageHead } from '../ui/page-head.js';
import { Empty, Loaded } from '../ui/states.js';
import type { Column } from '../ui/table.js';
import { Time } from '../ui/tags.js';
import type { Application, Profile } from '../wire.js';
import { ApplicationDialog } from './application-dialog.js';
import { OrganizationCard } from './organization-card.js';
import { ProfileName, profileOf } from './profile-name.js';

/** What sends scans, and the profile that is enforced for each. */
export function ApplicationsPage(_props: PageProps) {
  const { client, notify } = useApp();
  const isAdmin = useMay('admin');
  const applications = useApplications();
  const profiles = useProfiles().value ?? [];
  const [edited, setEdited] = useState<Application | 'new'>();
  const setActive = async (application: Application, active: boolean) => {
    await client.send('PATCH', `/applications/${encodeURIComponent(application.id)}`, { active });
    notify(active ? `${application.name} is active again.` : `${application.name} is not known to scans any more.`);
    applications.reload();
  };
  return (
    <>
      <PageHead
        title="Applications"
        intro="A scan that names an application is judged by that application's profile."
        actions={
          isAdmin && (
            <button type="button" class="primary" onClick={() => setEdited('new')}>
              New application
            </button>
          )
        }
      />
      {edited !== undefined && (
        <ApplicationDialog
          application={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined);
            applications.reload();
          }}
        />
      )}
      <Loaded resource={applications} what="applications">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No applications yet.">
              <p>Without one, scans are judged by the default profile of the user whose token asks.</p>
            </Empty>
          ) : (
            <ListTable
              caption="Applications"
              one="application"
              rows={rows}
              cutAt={listedMax}
              keyOf={({ id }) => id}
              classOf={({ active }) => (active ? '' : 'over')}
              textOf={({ id, name }) => `${name}\n${id}`}
              columns={[...columns(profiles), ...(isAdmin ? [actions(setEdited, setActive)] : [])]}
            />
          )
        }
      </Loaded>
      {isAdmin && <OrganizationCard />}
    </>
  );
}

function columns(profiles: readonly Profile[]): readonly Column<Application>[] {
  return [
    {
      name: 'Name',
      cell: ({ id, name }) => (
        <a href={`${href('scans')}${queryString({ app: id })}`}>
          <Foreign text={name} max={80} />
        </a>
      ),
    },
    {
      name: 'app_uuid',
      short: true,
      cell: ({ id, name }) => (
        <span class="id-line">
          <code>{id}</code>
          <CopyButton text={id} name={`app_uuid of ${name}`} />
        </span>
      ),
    },
    {
      name: 'Profile',
      cell: ({ profile_id }) => (
        <a href={href('profiles', profile_id)}>
          <ProfileName profile={profileOf(profiles, profile_id)} />
        </a>
      ),
    },
    {
      name: 'State',
      cell: ({ active }) => <span class={active ? 'tag good' : 'tag'}>{active ? 'active' : 'not active'}</span>,
    },
    { name: 'Since', cell: ({ created_at }) => <Time iso={created_at} ago /> },
  ];
}

function actions(
  edit: (application: Application) => void,
  setActive: (application: Application, active: boolean) => Promise<void>,
): Column<Application> {
  return {
    name: 'Actions',
    hideName: true,
    end: true,
    cell: (application) => (
      <span class="actions end">
        <button type="button" class="small" aria-label={`Edit ${application.name}`} onClick={() => edit(application)}>
          Edit
        </button>
        {application.active ? (
          <ConfirmButton
            label="Deactivate"
            name={`Deactivate ${application.name}`}
            title="Deactivate this application?"
            onConfirm={() => setActive(application, false)}
          >
            <p>
              Scans that name <Foreign text={application.name} /> are refused from now on, until it is active again.
            </p>
          </ConfirmButton>
        ) : (
          <ConfirmButton
            label="Activate"
            name={`Activate ${application.name}`}
            title="Activate this application?"
            mild
            onConfirm={() => setActive(application, true)}
          >
            <p>
              Scans may name <Foreign text={application.name} /> again.
            </p>
          </ConfirmButton>
        )}
      </span>
    ),
  };
}
