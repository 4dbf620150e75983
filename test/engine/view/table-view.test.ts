import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/domain/limits.js';
import { viewBit } from '../../../src/engine/view/kinds.js';
import { readsAsName, readsAsNamePlainly } from '../../../src/engine/view/table.js';
import { mayHoldTable, tableView } from '../../../src/engine/view/table-view.js';
import { originalSpan, rootView, type View } from '../../../src/engine/view/view.js';

function viewOf(text: string): View | undefined {
  return tableView(rootView(text), { unitsLeft: 100_000, spent: false });
}

/** What a view says of a text, line by line, as far as it is a name and a value that stands in the text. */
function readings(text: string): readonly string[] {
  const view = viewOf(text);
  const lines = [...(view?.text ?? '').matchAll(/^([^\n:]+): ([^\n]+)$/gm)];
  return lines.flatMap(({ 0: line, 1: name, 2: value, index }) => {
    const start = index + name.length + 2;
    const span = view && originalSpan(view, start, start + value.length);
    const whole = view && originalSpan(view, index, index + line.length);
    const stands = span !== undefined && text.slice(span.start, span.end) === value;
    // A match that holds the name begins with the value.
    return stands && whole?.start === span.start && whole.end === span.end ? [line] : [];
  });
}

const jane = ['PPSN: 5743021U', 'Phone: 01 234 5678'];
const tables: readonly (readonly [kind: string, text: string])[] = [
  ['commas', 'Name,PPSN,Phone\nJane,5743021U,01 234 5678'],
  ['commas, lines of DOS', 'Name,PPSN,Phone\r\nJane,5743021U,01 234 5678\r\n'],
  ['commas, quotes', '"Name","PPSN","Phone"\n"Byrne, Jane","5743021U","01 234 5678"'],
  ['semicolons', 'Name;PPSN;Phone\nJane;5743021U;01 234 5678'],
  ['tabs', 'Name\tPPSN\tPhone\nJane\t5743021U\t01 234 5678'],
  ['markdown', '| Name | **PPSN** | Phone |\n|:---|---|--:|\n| Jane | `5743021U` | 01 234 5678 |'],
  ['a database shell', ' Name | PPSN     | Phone\n------+----------+------\n Jane | 5743021U | 01 234 5678\n(1 row)'],
  ['columns', 'Name     PPSN       Phone\nJane     5743021U   01 234 5678'],
  ['columns, indented', '  Name     PPSN       Phone\n  Jane     5743021U   01 234 5678'],
  ['a data frame', '     Name      PPSN        Phone\n381  Jane  5743021U  01 234 5678'],
  ['behind prose', 'Here they are, as you asked:\n\nName,PPSN,Phone\nJane,5743021U,01 234 5678\n\nThat is all.'],
  ['in a value of JSON', '{"csv":"Name,PPSN,Phone\nJane,5743021U,01 234 5678\n"}'],
  [
    'HTML',
    '<table><tr><th>Name</th><th>PPSN</th><th>Phone</th></tr><tr><td>J</td><td>5743021U</td><td>01 234 5678</td></tr></table>',
  ],
  [
    'HTML with markup',
    '<TR class="head"><TD><b>Name</b></TD><TD><b>PPSN</b></TD><TD>Phone</TD></TR>\n<TR>\n <TD>J</TD><TD><span>5743021U</span></TD><TD>\n01 234 5678\n</TD></TR>',
  ],
  ['JSON', '{"columns":["name","PPSN","Phone"],"rows":[["O\\"Brien, J","5743021U","01 234 5678"]],"count":1}'],
  [
    'JSON in lines',
    '{\n  "header": [\n    "name", "PPSN", "Phone"\n  ],\n  "data": [\n    [ "J", "5743021U", "01 234 5678" ]\n  ]\n}',
  ],
  ['SQL', "INSERT INTO staff (name, PPSN, Phone) VALUES ('O''Brien, J', '5743021U', '01 234 5678');"],
  [
    'SQL with quoted names',
    "insert into `staff` (`name`, `PPSN`, \"Phone\")\nvalues (now(), '5743021U', '01 234 5678')",
  ],
  [
    'SQL, as the table was made',
    "CREATE TABLE IF NOT EXISTS shop.staff (\n  id numeric(8, 2),\n  `PPSN` text NOT NULL,\n  Phone text,\n  PRIMARY KEY (id)\n);\nINSERT INTO staff VALUES (NULL, '5743021U', '01 234 5678');",
  ],
  ['a dump', 'COPY public.staff (name, "PPSN", Phone) FROM stdin;\nJane\t5743021U\t01 234 5678\n\\.\n'],
];

describe('tableView', () => {
  it.each(tables)('puts numbers behind the names of their columns: %s', (_, text) => {
    expect(mayHoldTable(text)).toBe(true);
    expect(readings(text)).toEqual(jane);
    expect(viewOf(text)).toMatchObject({ kinds: viewBit('table'), depth: 1 });
  });

  it('reads every row, over rows that are ruled off', () => {
    expect(readings('a,b\n1,2\n3,x\n')).toEqual(['a: 1', 'b: 2', 'a: 3']);
    expect(readings('a | b\n--|--\n1 | 2\n--|--\n3 | 4')).toEqual(['a: 1', 'b: 2', 'a: 3', 'b: 4']);
  });

  it('reads secrets without a digit, and other words not', () => {
    expect(readings('user,password,city\njane,correct-horse,Cork')).toEqual(['password: correct-horse']);
    expect(readings('usuario;contraseña;ciudad\nana;limonero-verde;Cork')).toEqual(['contraseña: limonero-verde']);
  });

  it('reads several tables', () => {
    expect(readings('a,b\n1,2\n\nc;d\n3;4\n<tr><th>e<th>f<tr><td>5<td>6</table>')).toEqual([
      ...['a: 1', 'b: 2', 'c: 3', 'd: 4', 'e: 5', 'f: 6'],
    ]);
  });

  it('takes a column without a name, or with a name that is none, for no column', () => {
    expect(readings(',b\n1,2')).toEqual(['b: 2']);
    expect(viewOf('<tr><th>Is it so? Yes.<th>b<tr><td>5<td>6</table>')).toBeUndefined();
  });

  it.each([
    'Roses are red, they answered.\nViolets are 4, he told them.',
    'const a = f(1, b);\nconst c = f(2, d);',
    '1,2,3\n4,5,6',
    '{\n  "a": "x", "b": 1\n  "c": "y", "d": 2\n}',
    'one name\nno. 17',
    'a,b,c\n1,2',
    'INSERT INTO t VALUES (1, 2)',
    'CREATE TABLE s (a int, b int); INSERT INTO t VALUES (1, 2)',
    'CREATE TABLE t (a int); INSERT INTO t VALUES (1, 2)',
    'COPY t (a, b) FROM stdin;\n1\n2\n',
    'COPY t (a, b) TO stdout;\n1\t2\n',
    "INSERT INTO t (a, b) VALUES ('1'",
    '<tr><td>1<td>2<tr><td>3<td>4',
  ])('makes no table of %j', (text) => {
    expect(readings(text)).toEqual([]);
  });

  it('reads of a large table as much as half of the budget holds, and leaves nothing marked as unread', () => {
    const budget = { unitsLeft: 4_000, spent: false };
    const view = tableView(rootView(`number of the account,b\n${'1,2\n'.repeat(5_000)}`), budget);
    expect(view?.text).toContain('number of the account: 1\nb: 2\n');
    expect(budget.spent).toBe(false);
    expect(budget.unitsLeft).toBeGreaterThan(4_000 / 2 - 2 * limits.viewContextUnits);
  });

  it.each([
    ['lines', `a,b\n${'1,2\n'.repeat(20_000)}`],
    ['HTML', `<tr><th>a<th>b${'<tr><td>1<td>2'.repeat(20_000)}`],
    ['JSON', `{"fields":["a","b"],"data":[${'[1, 2],'.repeat(20_000)}`],
    ['SQL', `insert into t (a, b) values ${'(1, 2),'.repeat(20_000)}`],
  ])('reads no more cells than it may: %s', (_, text) => {
    const view = tableView(rootView(text), { unitsLeft: 1e7, spent: false });
    const cells = view?.text.match(/^[ab]: \d$/gm)?.length ?? 0;
    expect(cells).toBeGreaterThan(limits.tableCellsMax - 4);
    expect(cells).toBeLessThanOrEqual(limits.tableCellsMax);
  });

  it('gives every number of a random table its name and place', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8})?$/);
    const cell = fc.stringMatching(/^([a-z]{1,6}|[a-z]{0,2}[0-9]{1,9}( [0-9]{1,4})?)$/);
    const table = fc.integer({ min: 2, max: 6 }).chain((columns) =>
      fc.record({
        names: fc.uniqueArray(name, { minLength: columns, maxLength: columns }),
        rows: fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 5 }),
        separator: fc.constantFrom(',', ';', '\t', ' | ', '   '),
        around: fc.constantFrom('', 'Before.\n\n', 'x\n'),
      }),
    );
    fc.assert(
      fc.property(table, ({ names, rows, separator, around }) => {
        fc.pre(!names.some((each) => /pass|pwd|secret|token|key|cred|pin/.test(each)));
        const lines = [names, ...rows].map((cells) => cells.join(separator));
        const expected = rows.flatMap((cells) =>
          cells.flatMap((each, column) => (/[0-9]/.test(each) ? [`${names[column]}: ${each}`] : [])),
        );
        expect(readings(around + lines.join('\n'))).toEqual(expected);
      }),
    );
  });
});

describe('mayHoldTable', () => {
  it('is false of prose in lines', () => {
    expect(
      mayHoldTable('Dear Jane,\n\nthank you, all of you, for the cake; it was good.\nSee you on Monday,\nTom'),
    ).toBe(false);
  });

  it('withholds no table', () => {
    const pieces = fc.constantFrom(
      'Name',
      'PPSN',
      '12',
      ',',
      ';',
      '\t',
      '|',
      '  ',
      ' ',
      '\n',
      '|--|\n',
      '"',
      '": "',
      '<tr><td>',
      'VALUES (',
      '=',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
        const text = parts.join('');
        if (viewOf(text) !== undefined) expect(mayHoldTable(text)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('names of columns', () => {
  it('read unit by unit are those that the expressions know', () => {
    const pieces = fc.constantFrom(
      'Name',
      'q',
      '12',
      '3',
      ' ',
      '\t',
      '.',
      ',',
      ':',
      '?',
      '-',
      '_',
      '{',
      ']',
      '=',
      '\\',
      'é',
      'ß',
      '名',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        expect(readsAsName(text)).toBe(readsAsNamePlainly(text));
      }),
      { numRuns: 3_000 },
    );
  });
});
