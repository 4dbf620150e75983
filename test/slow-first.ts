import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute and more; without an earlier run the order would be by size, and the longest one last and alone. */
const slow = ['rules/shipped', 'dashboard/accessibility', 'e2e/commands', 'dashboard/flow'];

/** Starts the slow files first, and the others as they would be. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const first = slow.flatMap((name) => others.filter(({ moduleId }) => moduleId.endsWith(`/test/${name}.test.ts`)));
    return [...first, ...others.filter((file) => !first.includes(file))];
  }
}
