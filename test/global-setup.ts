import { setUp } from '../scripts/setup.mjs';

/** Workers and the command are tested as built: the build is made fresh before any test runs. */
export default function prepare(): void {
  setUp();
}
