import type { Program } from '../engine/program.js';
import type { PatternCost } from './cost-watch.js';

/** A gate that opens on more than this share of messages, or a needle seen more often a KB, is worth a hint. */
const openingsShareMax = 0.01;
const sightingsPerKbMax = 0.5;

/** What the author of a rule could change about its patterns, dearest pattern first. */
export function hintsFor(
  { patterns: compiled }: Program,
  indices: readonly number[],
  patterns: readonly PatternCost[],
  messages: number,
  bytes: number,
  matches: number,
): readonly string[] {
  const dearest = indices
    .map((index, place) => ({ index, cost: patterns[place] }))
    .sort((a, b) => b.cost.us - a.cost.us);
  return dearest.flatMap(({ index, cost }) => {
    const hints: string[] = [];
    const { windowUnits } = compiled[index];
    const needle = cost.top_needle ? `, most often by "${cost.top_needle.text}"` : '';
    const share = cost.openings / Math.max(1, messages);
    const isWasteful = cost.openings > 20 && cost.openings > 10 * Math.max(1, cost.hits);
    if (cost.kind === 'ungated') hints.push('requires no literal, so it runs on every message: add one');
    else if (cost.kind === 'gated' && windowUnits === 0)
      hints.push('has no bounded length, so it reads whole messages: bound its repetitions');
    if (cost.kind === 'gated' && share > openingsShareMax && isWasteful)
      hints.push(
        `its gate opens on ${(share * 100).toFixed(1)} % of messages${needle}, for ${cost.hits} hits: require a rarer literal`,
      );
    else if (cost.kind === 'gated' && (cost.top_needle?.sightings ?? 0) > (sightingsPerKbMax * bytes) / 1_024)
      hints.push(`"${cost.top_needle?.text}" is common: seen ${cost.top_needle?.sightings} times`);
    if (cost.hits >= 20 && cost.hits > 20 * Math.max(1, matches))
      hints.push(`validators drop nearly all of its ${cost.hits} hits: let the pattern say more`);
    return hints.map((hint) => `pattern ${cost.pattern} ${hint}`);
  });
}
