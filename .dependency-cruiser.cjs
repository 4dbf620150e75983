// Imports go one way: domain <- telemetry, engine <- rules <- pool, eval <- train, store <- guard <- api <- http, mcp (never each
// other) <- main, commands, cli. Each line of `layers` may import itself and what stands above it in `sees`.
const layers = {
  domain: [],
  telemetry: ['domain'],
  engine: ['domain'],
  rules: ['domain', 'engine'],
  pool: ['domain', 'engine', 'rules'],
  eval: ['domain', 'engine', 'rules'],
  train: ['domain', 'engine', 'eval'],
  store: ['domain'],
  guard: ['domain', 'telemetry', 'engine', 'rules', 'pool', 'store'],
  api: ['domain', 'telemetry', 'guard', 'store'],
  http: ['domain', 'telemetry', 'guard', 'api'],
  mcp: ['domain', 'telemetry', 'guard', 'api'],
};

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...Object.entries(layers).map(([layer, sees]) => ({
      name: `${layer}-sees-only-what-is-below`,
      severity: 'error',
      from: { path: `^src/${layer}/` },
      to: { path: '^src/', pathNot: `^src/(${[layer, ...sees].join('|')})/` },
    })),
    // What runs in the browser is a program of its own; what it may import is held by test/dashboard/imports.test.ts,
    // because the parser in use here knows no JSX.
    {
      name: 'nobody-imports-the-page',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/dashboard/' },
      to: { path: '^src/dashboard/' },
    },
    {
      name: 'mcp-libraries-load-when-asked',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/mcp/(sdk-answer|handshake-era|modern-era|stdio)\\.ts$|^src/commands/mcp\\.ts$',
      },
      to: {
        path: ['node_modules/@modelcontextprotocol/', '^src/mcp/(sdk-answer|handshake-era|modern-era|stdio)\\.ts$'],
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'tracing-libraries-load-when-configured',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/telemetry/otel\\.ts$' },
      to: {
        path: ['node_modules/@opentelemetry/', '^src/telemetry/otel\\.ts$'],
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'one-importer-of-re2',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/engine/regex/re2\\.ts$' },
      to: { path: 'node_modules/re2/' },
    },
    {
      name: 'engine-does-no-io',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(zlib|crypto)$' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^src/dashboard/'] },
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
