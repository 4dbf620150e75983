import { expect, test } from 'vitest';
import { killRounds } from '../soak/kills.js';

/* A few rounds of what `npm run soak` does for longer. */

test('kill -9 under load loses nothing that was acknowledged after commit, no token, and no agreement of lists', async () => {
  const { kills, acknowledged, lost, tokensRevoked, wrong } = await killRounds({
    rounds: 4,
    durability: 'committed',
    scans: 400,
  });
  expect({ kills, lost, wrong }).toEqual({ kills: 4, lost: 0, wrong: [] });
  expect(acknowledged).toBeGreaterThan(4 * 160);
  expect(tokensRevoked).toBeGreaterThan(0);
}, 120_000);

test('the same check sees the loss where scans are answered before their records are written', async () => {
  const { lost, wrong } = await killRounds({ rounds: 10, durability: 'relaxed', scans: 100, untilLoss: true });
  expect(lost).toBeGreaterThan(0);
  // Less than was acknowledged, never less agreement.
  expect(wrong).toEqual([]);
}, 120_000);
