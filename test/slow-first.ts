import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take more than ten seconds, the slowest first, so that both processes end at the same time; without an earlier run
 * the order would be by size.
 */
const slow = [
  'rules/shipped',
  'engine/learned/scorer',
  'e2e/commands',
  'pool/sharded-scan',
  'dashboard/flow',
  'dashboard/editing',
  'dashboard/lists',
  'dashboard/accessibility',
  'e2e/eval',
  'e2e/org-rules',
  'e2e/mcp-stdio',
  'e2e/access-matrix',
  'engine/shard/sharder',
  'e2e/first-run',
  'e2e/identity',
  'e2e/kills',
  'e2e/traces',
  'dashboard/hostile',
  'e2e/contract',
  'e2e/mcp',
  'e2e/mcp-clients',
  'engine/automaton/search',
  'store/lmdb/full-disk',
  'pool/rules-compiler',
  'e2e/reload',
  'store/lmdb/killed',
  'index',
  'http/framing',
  'engine/view/views',
  'guard/redactor',
  'rules/rule-cache',
  'engine/regex/relaxed',
  'store/lmdb/model',
  'e2e/full-disk',
];

/** Starts the slow files first, and the others as they would be. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const first = slow.flatMap((name) => others.filter(({ moduleId }) => moduleId.endsWith(`/test/${name}.test.ts`)));
    return [...first, ...others.filter((file) => !first.includes(file))];
  }
}
