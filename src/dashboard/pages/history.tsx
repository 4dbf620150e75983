import { useApp } from '../context.js';
import { useResource } from '../resource.js';
import { Foreign } from '../text/foreign-text.js';
import { ConfirmButton } from '../ui/dialog.js';
import { Empty, Loaded } from '../ui/states.js';
import { Table } from '../ui/table.js';
import { Time } from '../ui/tags.js';
import type { List, Version } from '../wire.js';

interface Props {
  /** Of the thing whose states these are, below the interface's base. */
  readonly path: string;
  readonly current: number | string | null;
  onRolledBack(): void;
}

/** Earlier states with who made them and when; each can be made the current one again. */
export function History({ path, current, onRolledBack }: Props) {
  const { client, notify } = useApp();
  const versions = useResource(`history ${path} ${current}`, (signal) =>
    client.get<List<Version>>(`${path}/history`, { signal }).then(({ data }) => data),
  );
  const rollBack = async (version: Version['version']) => {
    await client.send('POST', `${path}/rollback`, { version });
    notify('Rolled back. It is enforced from the next scan on.');
    onRolledBack();
  };
  return (
    <section class="card">
      <h2>History</h2>
      <Loaded resource={versions} what="the history">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No changes yet." />
          ) : (
            <Table
              caption="History"
              rows={rows}
              keyOf={({ version }) => String(version)}
              columns={[
                { name: 'Version', cell: ({ version }) => <code>{String(version).slice(0, 12)}</code> },
                { name: 'When', cell: ({ updated_at }) => <Time iso={updated_at} /> },
                {
                  name: 'Who',
                  cell: ({ updated_by }) =>
                    updated_by === null ? <span class="quiet">the command line</span> : <Foreign text={updated_by} />,
                },
                {
                  name: 'Actions',
                  hideName: true,
                  end: true,
                  cell: ({ version }) =>
                    version === current ? (
                      <span class="tag">current</span>
                    ) : (
                      <ConfirmButton
                        label="Roll back"
                        name={`Roll back to version ${version}`}
                        title="Roll back to this version?"
                        mild
                        onConfirm={() => rollBack(version)}
                      >
                        <p>The state of this version becomes a new one, so that this, too, can be undone.</p>
                      </ConfirmButton>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </section>
  );
}
