import { useState } from 'preact/hooks';
import { useApp } from '../context.js';
import { applicationName, listAll, listedMax, useApplications } from '../directory.js';
import { useResource } from '../resource.js';
import type { PageProps } from '../routes.js';
import { Foreign } from '../text/foreign-text.js';
import { ConfirmButton } from '../ui/dialog.js';
import { ListTable } from '../ui/list-table.js';
import { PageHead, useHeadingAfter } from '../ui/page-head.js';
import { Empty, Loaded } from '../ui/states.js';
import type { Column } from '../ui/table.js';
import { Time } from '../ui/tags.js';
import type { Application, NewToken, Token } from '../wire.js';
import { NewTokenDialog, TokenOnce } from './new-token.js';

type Step = { readonly is: 'list' } | { readonly is: 'form' } | { readonly is: 'made'; readonly token: NewToken };

/** Access tokens of people and keys of service users: made, shown once, revoked. */
export function TokensPage(_props: PageProps) {
  const { client, session, notify } = useApp();
  const tokens = useResource('tokens', (signal) => listAll<Token>(client, '/tokens', signal));
  const applications = useApplications().value;
  const [step, setStep] = useState<Step>({ is: 'list' });
  const headingNext = useHeadingAfter(tokens.value);
  const isAdmin = session.user.role === 'admin';
  const mayMake = session.user.role !== 'viewer';
  const revoke = async (token: Token) => {
    await client.send('DELETE', `/tokens/${encodeURIComponent(token.id)}`);
    notify(`Revoked ${token.name}. It works nowhere any more.`);
    headingNext();
    tokens.reload();
  };
  return (
    <>
      <PageHead
        title="Tokens"
        intro={
          isAdmin
            ? 'Access tokens of people and keys of service users in your organization. Each is shown once, when it is made.'
            : 'Your access tokens. Each is shown once, when it is made.'
        }
        actions={
          mayMake && (
            <button type="button" class="primary" onClick={() => setStep({ is: 'form' })}>
              New token
            </button>
          )
        }
      />
      {step.is === 'form' && (
        <NewTokenDialog
          onClose={() => setStep({ is: 'list' })}
          onMade={(token) => {
            setStep({ is: 'made', token });
            tokens.reload();
          }}
        />
      )}
      {step.is === 'made' && <TokenOnce token={step.token} onClose={() => setStep({ is: 'list' })} />}
      <Loaded resource={tokens} what="tokens">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No tokens yet.">
              <p>
                {mayMake
                  ? 'A token lets a program scan. Make one, and paste the command that comes with it into a terminal.'
                  : 'Viewers look; members and admins make tokens.'}
              </p>
            </Empty>
          ) : (
            <ListTable
              caption="Tokens"
              one="token"
              rows={rows}
              cutAt={listedMax}
              keyOf={({ id }) => id}
              classOf={(token) => (isOver(token) ? 'over' : '')}
              textOf={(token) => searchedText(token, applications)}
              only={{ label: 'Active only', holds: (token) => !isOver(token) }}
              columns={tokenColumns(isAdmin, applications, revoke)}
            />
          )
        }
      </Loaded>
    </>
  );
}

function tokenColumns(
  isAdmin: boolean,
  applications: readonly Application[] | undefined,
  revoke: (token: Token) => Promise<void>,
): readonly Column<Token>[] {
  return [
    {
      name: 'Name',
      cell: ({ name, prefix }) => (
        <>
          <b>
            <Foreign text={name} max={80} />
          </b>{' '}
          <code class="quiet">{prefix}…</code>
        </>
      ),
    },
    ...(isAdmin
      ? [
          {
            name: 'Owner',
            cell: ({ user_email }: Token) => <Foreign text={user_email ?? 'removed'} max={80} ltr />,
          } as const,
        ]
      : []),
    {
      name: 'Scopes',
      cell: ({ scopes }) => <span class="scopes">{scopes.join(', ')}</span>,
    },
    {
      name: 'For',
      cell: ({ app_uuid }) =>
        app_uuid ? (
          <Foreign text={applicationName(applications, app_uuid)} max={60} />
        ) : (
          <span class="quiet">any application</span>
        ),
    },
    {
      name: 'Last used',
      cell: ({ last_used_at }) =>
        last_used_at === null ? <span class="quiet">never</span> : <Time iso={last_used_at} ago />,
    },
    { name: 'State', cell: (token) => <TokenState token={token} /> },
    {
      name: 'Actions',
      hideName: true,
      end: true,
      cell: (token) =>
        token.revoked_at === null && (
          <ConfirmButton
            label="Revoke"
            name={`Revoke ${token.name}`}
            title="Revoke this token?"
            onConfirm={() => revoke(token)}
          >
            <p>
              <b>
                <Foreign text={token.name} />
              </b>{' '}
              <code>{token.prefix}…</code> stops working at once, everywhere. This cannot be undone.
            </p>
          </ConfirmButton>
        ),
    },
  ];
}

function TokenState({ token }: { readonly token: Token }) {
  if (token.revoked_at !== null) {
    return (
      <span>
        <span class="tag">revoked</span> <Time iso={token.revoked_at} ago />
      </span>
    );
  }
  if (token.expires_at === null) return <span class="tag good">active</span>;
  const isExpired = Date.parse(token.expires_at) <= Date.now();
  return (
    <span>
      <span class={isExpired ? 'tag' : 'tag good'}>{isExpired ? 'expired' : 'active'}</span>{' '}
      <span class="quiet">{isExpired ? '' : 'ends '}</span>
      <Time iso={token.expires_at} ago />
    </span>
  );
}

function searchedText({ name, prefix, user_email, app_uuid }: Token, applications: readonly Application[] | undefined) {
  const application = app_uuid === null ? '' : applicationName(applications, app_uuid);
  return [name, prefix, user_email ?? '', application].join('\n');
}

function isOver(token: Token): boolean {
  return token.revoked_at !== null || (token.expires_at !== null && Date.parse(token.expires_at) <= Date.now());
}
