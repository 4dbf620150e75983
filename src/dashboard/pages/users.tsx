import { useState } from 'preact/hooks';
import { useApp } from '../context.js';
import { listAll, listedMax, useProfiles } from '../directory.js';
import { useResource } from '../resource.js';
import type { PageProps } from '../routes.js';
import { Foreign } from '../text/foreign-text.js';
import { ConfirmButton } from '../ui/dialog.js';
import { ListTable } from '../ui/list-table.js';
import { PageHead, useHeadingAfter } from '../ui/page-head.js';
import { Loaded } from '../ui/states.js';
import type { Column } from '../ui/table.js';
import { Time } from '../ui/tags.js';
import type { Profile, User } from '../wire.js';
import { ProfileName, profileOf } from './profile-name.js';
import { UserDialog } from './user-dialog.js';

/** People and service users of the organization, with their roles. */
export function UsersPage(_props: PageProps) {
  const { client, session, notify } = useApp();
  const users = useResource('users', (signal) => listAll<User>(client, '/users', signal));
  const profiles = useProfiles().value ?? [];
  const headingNext = useHeadingAfter(users.value);
  const [edited, setEdited] = useState<User | 'new'>();
  const remove = async (user: User) => {
    await client.send('DELETE', `/users/${encodeURIComponent(user.id)}`);
    notify(`Removed ${user.email}.`);
    headingNext();
    users.reload();
  };
  return (
    <>
      <PageHead
        title="Users"
        intro="Admins change everything, members scan and make tokens, viewers look. A service user owns keys for machines and cannot sign in."
        actions={
          <button type="button" class="primary" onClick={() => setEdited('new')}>
            New user
          </button>
        }
      />
      {edited !== undefined && (
        <UserDialog
          user={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined);
            users.reload();
          }}
        />
      )}
      <Loaded resource={users} what="users">
        {(rows) => (
          <ListTable
            caption="Users"
            one="user"
            rows={rows}
            cutAt={listedMax}
            keyOf={({ id }) => id}
            textOf={({ email }) => email}
            columns={userColumns(session.user.id, profiles, setEdited, remove)}
          />
        )}
      </Loaded>
    </>
  );
}

function userColumns(
  ownId: string,
  profiles: readonly Profile[],
  edit: (user: User) => void,
  remove: (user: User) => Promise<void>,
): readonly Column<User>[] {
  return [
    {
      name: 'E-mail',
      cell: ({ id, email }) => (
        <>
          <b>
            <Foreign text={email} max={100} ltr />
          </b>
          {id === ownId && <span class="quiet"> you</span>}
        </>
      ),
    },
    { name: 'Role', cell: ({ role, service }) => (service ? `${role}, service` : role) },
    {
      name: 'Profile',
      cell: ({ profile_id }) => <ProfileName profile={profileOf(profiles, profile_id)} />,
    },
    { name: 'Since', cell: ({ created_at }) => <Time iso={created_at} ago /> },
    {
      name: 'Actions',
      hideName: true,
      end: true,
      cell: (user) => (
        <span class="actions end">
          <button type="button" class="small" aria-label={`Edit ${user.email}`} onClick={() => edit(user)}>
            Edit
          </button>
          {user.id !== ownId && (
            <ConfirmButton
              label="Remove"
              name={`Remove ${user.email}`}
              title="Remove this user?"
              onConfirm={() => remove(user)}
            >
              <p>
                <Foreign text={user.email} ltr /> is signed out at once, and all tokens of this user stop working.
              </p>
            </ConfirmButton>
          )}
        </span>
      ),
    },
  ];
}
