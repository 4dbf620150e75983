import { useApp } from '../context.js';
import { useResource } from '../resource.js';
import { Foreign } from '../text/foreign-text.js';
import { ConfirmButton } from '../ui/dialog.js';
import { Empty, Loaded } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';
import { Time } from '../ui/tags.js';
import type { Change, List } from '../wire.js';

interface Props<Row extends Change, State> {
  /** Of the thing whose states these are, below the interface's base. */
  readonly path: string;
  /** Names the state that is shown now; when it changes, the history is loaded again. */
  readonly state: string;
  /** The version that is shown: a roll-back of another one is refused. */
  readonly base: number | string | null;
  /** What the number of a state is called on the wire. */
  readonly field: 'version' | 'revision';
  numberOf(row: Row): number;
  /** What a state changed; `before` is undefined for the oldest that is kept. */
  describe(row: Row, before: Row | undefined): string;
  /** Whether something is typed that rolling back discards. */
  readonly unsaved: boolean;
  onRolledBack(state: State): void;
}

/** Earlier states, newest first, with who made them and when; each can be made the current one again. */
export function History<Row extends Change, State>(props: Props<Row, State>) {
  const { path, state, base, field, onRolledBack } = props;
  const { client, notify } = useApp();
  const versions = useResource(`history ${path} ${state}`, (signal) =>
    client.get<List<Row>>(`${path}/history`, { signal }).then(({ data }) => data),
  );
  const rollBack = async (number: number) => {
    const current = await client.send<State>('POST', `${path}/rollback`, { [field]: number, base_version: base });
    notify('Rolled back. It is enforced from the next scan on.');
    onRolledBack(current);
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
              keyOf={(row) => String(props.numberOf(row))}
              columns={columns(rows, props, rollBack)}
            />
          )
        }
      </Loaded>
    </section>
  );
}

function columns<Row extends Change, State>(
  rows: readonly Row[],
  { numberOf, describe, unsaved }: Props<Row, State>,
  rollBack: (number: number) => Promise<void>,
): readonly Column<Row>[] {
  return [
    { name: 'Version', cell: numberOf },
    {
      name: 'When',
      cell: ({ updated_at }) => (updated_at === null ? <span class="quiet none">–</span> : <Time iso={updated_at} />),
    },
    { name: 'Who', cell: who },
    {
      name: 'What',
      cell: (row) => <Foreign text={describe(row, rows[rows.indexOf(row) + 1])} />,
    },
    {
      name: 'Actions',
      hideName: true,
      end: true,
      cell: (row) =>
        row === rows[0] ? (
          <span class="tag">current</span>
        ) : (
          <ConfirmButton
            label="Roll back"
            name={`Roll back to version ${numberOf(row)}`}
            title="Roll back to this version?"
            mild
            onConfirm={() => rollBack(numberOf(row))}
          >
            {unsaved && <p class="notice bad">What you changed here and have not saved is lost.</p>}
            <p>The state of this version becomes a new one, so that this, too, can be undone.</p>
          </ConfirmButton>
        ),
    },
  ];
}

function who({ updated_by, updated_by_email }: Change) {
  if (updated_by_email !== null) return <Foreign text={updated_by_email} ltr />;
  return <span class="quiet">{updated_by === null ? 'the command line' : 'a removed user'}</span>;
}
