import { limits } from '../domain/limits.js';
import type { Program } from '../engine/program.js';
import { type Judged, outcomeOf } from './judged.js';
import type { Preview } from './preview.js';

/** A sample that was judged wrongly. */
interface LosingCase {
  readonly id: string;
  readonly preview: string;
  /** Rules that hit, also below the threshold. */
  readonly rules: readonly string[];
  readonly scores: Judged['scores'];
}

/** Samples of one source that were judged wrongly for one reason. */
export interface Cluster {
  readonly source: string;
  /** For false positives the rule that said most; for misses the attack type. */
  readonly reason: string;
  readonly count: number;
  /** Samples of the source with the same label: what `count` is of. */
  readonly of: number;
  /** The first of them. */
  readonly samples: readonly LosingCase[];
}

interface Growing {
  readonly source: string;
  readonly reason: string;
  count: number;
  readonly samples: LosingCase[];
}

const rest = '(others)';

/** Gathers misses by source and attack type and false positives by source and rule. Memory is bounded. */
export class ClusterTally {
  private readonly scoreOf: ReadonlyMap<string, number>;
  private readonly policyOf: ReadonlyMap<string, string>;
  private readonly preview: Preview;
  private readonly missed = new Map<string, Growing>();
  private readonly flagged = new Map<string, Growing>();

  constructor(program: Program, preview: Preview) {
    this.scoreOf = new Map(program.rules.map(({ id, score }) => [id, score]));
    this.policyOf = new Map(program.rules.map(({ id, policy }) => [id, policy]));
    this.preview = preview;
  }

  add(judged: Judged): void {
    const outcome = outcomeOf(judged);
    if (outcome === 'missed') this.into(this.missed, judged.sample.attackType, judged);
    else if (outcome === 'flagged') this.into(this.flagged, this.strongest(judged), judged);
  }

  /** Largest first. `sizeOf` gives how many samples of that label a source has. */
  misses(sizeOf: (source: string) => number): readonly Cluster[] {
    return largest(this.missed, sizeOf);
  }

  falsePositives(sizeOf: (source: string) => number): readonly Cluster[] {
    return largest(this.flagged, sizeOf);
  }

  private into(clusters: Map<string, Growing>, reason: string, judged: Judged): void {
    const { source, id } = judged.sample;
    const key = JSON.stringify([source, reason]);
    const isFull = clusters.size >= limits.evalClustersMax && !clusters.has(key);
    const name = isFull ? { source: rest, reason: rest } : { source, reason };
    const cluster = clusters.get(isFull ? rest : key) ?? { ...name, count: 0, samples: [] };
    clusters.set(isFull ? rest : key, cluster);
    cluster.count++;
    if (cluster.samples.length >= limits.evalClusterSamplesMax) return;
    cluster.samples.push({ id, preview: this.preview(judged), rules: judged.rules, scores: judged.scores });
  }

  /** The rule of a triggered policy with the highest score; of several the first by id. */
  private strongest({ rules, policies }: Judged): string {
    const score = (id: string) => this.scoreOf.get(id) ?? 0;
    const triggered: readonly string[] = policies;
    return rules
      .filter((id) => triggered.includes(this.policyOf.get(id) ?? ''))
      .reduce((best, id) => (best === '' || score(id) > score(best) ? id : best), '');
  }
}

function largest(clusters: ReadonlyMap<string, Growing>, sizeOf: (source: string) => number): readonly Cluster[] {
  return [...clusters.values()]
    .map(({ source, reason, count, samples }) => ({ source, reason, count, of: sizeOf(source), samples }))
    .sort((a, b) => b.count - a.count || (a.source < b.source ? -1 : 1));
}
