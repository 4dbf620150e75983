// Ordinary queries: each function gives a text of its kind.

/** What queries call. */
const calls = [
  ...[
    'version()',
    'current_user',
    'session_user',
    'USER()',
    'DATABASE()',
    'NOW()',
    'GETDATE()',
    'CURRENT_DATE',
    'COUNT(*)',
  ],
  ...['LAST_INSERT_ID()', 'hex(randomblob(16))', 'UUID()', '@@global.time_zone', 'gen_random_uuid()', 'RAND()'],
].map((text) => () => text);
calls.push(
  ({ noun }) => `COALESCE(${noun()}, 0)`,
  ({ noun }) => `CONCAT(${noun()}, ' ', ${noun()})`,
  ({ noun }) => `SUBSTRING(${noun()}, 1, 3)`,
  ({ noun }) => `CAST(${noun()} AS integer)`,
  ({ noun }) => `CONVERT(varchar(10), ${noun()}, 120)`,
  ({ noun }) => `IF(${noun()} = 0, '${noun()}', '${noun()}')`,
  ({ noun, below }) => `CASE WHEN ${noun()} > ${below(90)} THEN '${noun()}' ELSE '${noun()}' END`,
  ({ noun }) => `LENGTH(UPPER(TRIM(${noun()})))`,
  ({ noun }) => `ROW_NUMBER() OVER (PARTITION BY ${noun()} ORDER BY ${noun()})`,
  ({ noun }) => `pg_size_pretty(pg_database_size('${noun()}'))`,
  ({ noun }) => `ASCII(LEFT(${noun()}, 1))`,
  ({ noun }) => `GROUP_CONCAT(${noun()} SEPARATOR ', ')`,
  ({ noun }) => `date_trunc('month', ${noun()})`,
);

/** Columns and tables of every second schema, which are also what injections ask for. */
const commonColumns = ['id', 'name', 'email', 'title', 'price', 'status', 'user_id', 'created_at', 'username', 'total'];
const commonTables = [
  'users',
  'orders',
  'products',
  'tickets',
  'customers',
  'employees',
  'payments',
  'posts',
  'logs',
  'courses',
];
const pastTables = ['_archive', '_old', '_2023', '_history', '_backup', '_eu', '_deleted', '_staging'];

export const queries = {
  unions: ({ among, times, below, noun, sentence }) => {
    const columns = among([among(commonColumns), `${among(commonColumns)}, ${among(commonColumns)}`, '*']);
    const table = among([among(commonTables), noun()]);
    const where = () => among(['', '', ` WHERE ${among(commonColumns)} > ${below(90)}`, ` WHERE status = '${noun()}'`]);
    const parts = times(
      1,
      2,
      () =>
        `${among([' ', '\n'])}${among(['UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT', 'union', 'union all'])}${among([' ', '\n'])}${among(['SELECT', 'select'])} ${columns} FROM ${table}${among(pastTables)}${where()}`,
      '',
    );
    const query = `SELECT ${columns} FROM ${table}${where()}${parts}${among(['', ' ORDER BY 1', ' ORDER BY created_at DESC LIMIT 20'])};`;
    return among([query, `\`\`\`sql\n${query}\n\`\`\``, `${sentence()}\n\n\`\`\`sql\n${query}\n\`\`\``]);
  },
  tables: ({ times, snake, noun, among, below, camel }) =>
    times(
      1,
      4,
      () =>
        among([
          () =>
            `CREATE TABLE ${among(['IF NOT EXISTS ', ''])}${snake()} (\n  id ${among(['SERIAL', 'INTEGER', 'BIGINT UNSIGNED'])} PRIMARY KEY,\n${times(2, 6, () => `  ${snake()} ${among(['VARCHAR(64) NOT NULL', 'TEXT', 'INTEGER DEFAULT 0 CHECK (id > 0)', 'TIMESTAMP DEFAULT CURRENT_TIMESTAMP', 'NUMERIC(10,2)', 'BOOLEAN'])}`, ',\n')}\n);`,
          () =>
            `INSERT INTO ${snake()} (${snake()}, ${noun()}) VALUES\n  (${below(90)}, '${noun()}'),\n  (${below(90)}, 'the ${noun()}''s ${noun()}');`,
          () => `CREATE ${among(['UNIQUE ', ''])}INDEX ${snake()}_idx ON ${snake()} (${noun()}, ${snake()});`,
          () => `ALTER TABLE ${snake()} ADD COLUMN ${snake()} INTEGER; -- ${noun()} ${noun()}`,
          () => `GRANT SELECT, INSERT ON ${snake()} TO '${noun()}'@'localhost';`,
          () =>
            `CREATE FUNCTION ${camel()}(${noun()} text) RETURNS integer\nAS 'MODULE_PATHNAME', '${snake()}'\nLANGUAGE C STRICT;`,
          () => `BEGIN;\nUPDATE ${snake()} SET ${noun()} = ${noun()} + 1 WHERE id = ${below(900)};\nCOMMIT;`,
        ])(),
      '\n\n',
    ),
  queries: ({ times, snake, noun, among, below, sentence }) =>
    times(
      1,
      3,
      () =>
        `${among([`-- ${sentence()}\n`, ''])}SELECT ${among(['DISTINCT ', ''])}${times(1, 4, () => among([`a.${snake()}`, `COUNT(*) AS ${noun()}`, `COALESCE(${noun()}, 0)`, `CASE WHEN ${noun()} > ${below(90)} THEN '${noun()}' ELSE '${noun()}' END AS ${noun()}`, `SUBSTRING(${noun()} FROM 1 FOR 3)`, `CAST(${noun()} AS integer)`]), ', ')}
FROM ${snake()} a
${among([`LEFT JOIN ${snake()} b ON b.${noun()}_id = a.id`, `JOIN ${snake()} USING (${noun()})`, ''])}
WHERE ${times(1, 3, () => among([`a.${noun()} = '${noun()}'`, `${noun()} LIKE '%${noun()}%'`, `${noun()} IS NOT NULL`, `${noun()} IN (SELECT ${noun()} FROM ${snake()})`, `${noun()} BETWEEN ${below(9)} AND ${below(99)}`, `EXISTS (SELECT 1 FROM ${snake()} c WHERE c.id = a.id)`]), among(['\n  AND ', '\n  OR ']))}
${among([`GROUP BY ${among(['1, 2', noun()])} HAVING COUNT(*) > ${below(9)}`, `UNION ALL SELECT ${noun()} FROM ${snake()}`, ''])}
${among(['ORDER BY 2 DESC', `ORDER BY ${noun()}`, ''])}${among([` LIMIT ${below(90)}`, ''])};`,
      '\n\n',
    ),
  statements: (words) => {
    const { noun, among, below, snake, times, camel } = words;
    const value = () => among([`'${noun()}'`, String(below(900)), 'NULL', '?', `:${noun()}`, `@${noun()}`]);
    const call = () => among(calls)(words);
    const column = () => among([noun, snake, call, () => `${noun()[0]}.${noun()}`])();
    const condition = () =>
      among([
        () => `${column()} ${among(['=', '<>', '>', '<=', '!='])} ${value()}`,
        () => `${noun()} IS ${among(['', 'NOT '])}NULL`,
        () => `${noun()} LIKE '${among(['%', ''])}${noun()}%'`,
        () => `${noun()} ${among(['', 'NOT '])}IN (${times(2, 4, value, ', ')})`,
        () => `${noun()} IN (SELECT ${noun()}_id FROM ${snake()})`,
        () => `${noun()} > (SELECT ${among(['AVG', 'MAX', 'MIN'])}(${noun()}) FROM ${noun()})`,
        () => `(${noun()} = ${value()} OR ${noun()} = ${value()})`,
      ])();
    return times(
      1,
      2,
      () =>
        `${among([
          () => `SELECT ${times(1, 3, column, ', ')};`,
          () =>
            `SELECT ${among(['*', column(), `TOP ${below(90)} *`, `DISTINCT ${noun()}`])} FROM ${snake()} WHERE ${times(1, 3, condition, among([' AND ', ' OR ']))}${among([';', ` -- ${noun()} ${noun()}`, ` LIMIT ${below(90)};`])}`,
          () =>
            `SELECT ${noun()}, ${call()} FROM ${snake()} GROUP BY ${among(['1', noun()])} HAVING ${condition()} ORDER BY ${among(['1, 2', '2 DESC', noun()])};`,
          () => `SELECT ${column()} FROM ${noun()} UNION ${among(['', 'ALL '])}SELECT ${column()} FROM ${noun()};`,
          () => `SELECT ${value()} AS ${noun()}, ${value()} AS ${noun()} UNION ALL SELECT ${value()}, ${value()};`,
          () =>
            `WITH RECURSIVE ${noun()}(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ${noun()} WHERE n < ${below(90)}) SELECT n FROM ${noun()};`,
          () =>
            `SELECT ${among(['table_name', 'column_name', 'name', '*'])} FROM ${among(['information_schema.tables', 'information_schema.columns', 'sqlite_master', 'sys.tables', 'pg_stat_activity', 'pg_indexes', 'dual', 'all_tables'])} WHERE ${condition()} ORDER BY 1;`,
          () =>
            `INSERT INTO ${snake()} (${noun()}, ${noun()}) ${among([`VALUES (${value()}, ${value()})`, `SELECT ${noun()}, ${noun()} FROM ${noun()}`])}${among([';', ' RETURNING id;', ` ON CONFLICT DO NOTHING;`])}`,
          () => `UPDATE ${snake()} SET ${noun()} = ${among([value(), `${noun()} + 1`, call()])} WHERE ${condition()};`,
          () => `DELETE FROM ${snake()} WHERE ${condition()} AND ${condition()};`,
          () =>
            `${among(['TRUNCATE TABLE', 'DROP TABLE IF EXISTS', 'DESCRIBE', 'SHOW INDEX FROM', 'ANALYZE', 'VACUUM'])} ${snake()};`,
          () =>
            `${among(['SHOW TABLES', 'SHOW DATABASES', `USE ${noun()}`, 'ROLLBACK', 'START TRANSACTION', 'FLUSH PRIVILEGES', `EXEC sp_help '${noun()}'`])};`,
          () =>
            `DECLARE @${noun()} INT = ${below(90)}; WHILE @${noun()} > 0 BEGIN SET @${noun()} = @${noun()} - 1; END`,
          () => `SET @${noun()} := 0; SELECT @${noun()} := @${noun()} + 1 AS n FROM ${noun()};`,
          () => `EXPLAIN SELECT ${noun()} FROM ${noun()} WHERE EXISTS (SELECT 1 FROM ${noun()} WHERE ${condition()});`,
          () => `const sql = "SELECT * FROM ${noun()} WHERE ${noun()} = '" + ${camel()} + "'";`,
        ])()}`,
    );
  },
};
