import { Histogram, type HistogramConfiguration } from 'prom-client';

/** Observes one value. */
export type Observe = (value: number) => void;

/**
 * A histogram of prom-client that counts in plain numbers and puts them into its form when somebody asks: an observation
 * costs some 20 ns instead of 500 to 1,000. Observe through `series` only.
 */
export class QuickHistogram extends Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #all: Series[] = [];

  constructor(configuration: HistogramConfiguration<string> & { readonly buckets: readonly number[] }) {
    super({ ...configuration, buckets: [...configuration.buckets] });
    this.#name = configuration.name;
    this.#help = configuration.help;
    this.#bounds = configuration.buckets;
  }

  /** The series with these labels. Make it once, not with each observation. */
  series(labels: Labels = {}): Observe {
    const bounds = this.#bounds;
    const series: Series = { labels, counts: new Float64Array(bounds.length + 1), sum: 0 };
    this.#all.push(series);
    return (value) => {
      let bucket = 0;
      while (bucket < bounds.length && value > bounds[bucket]) bucket++;
      series.counts[bucket]++;
      series.sum += value;
    };
  }

  /** As prom-client asks for it when it writes text, and with `get` when it adds up what several threads counted. */
  async getForPromString() {
    return {
      name: this.#name,
      help: this.#help,
      type: 'histogram',
      values: this.#all.flatMap((series) => this.#valuesOf(series)),
      aggregator: 'sum' as const,
    };
  }

  #valuesOf({ labels, counts, sum }: Series) {
    let count = 0;
    const buckets = [...this.#bounds, '+Inf'].map((le, index) => {
      count += counts[index];
      return { metricName: `${this.#name}_bucket`, labels: { le, ...labels }, sharedLabels, value: count };
    });
    return [
      ...buckets,
      { metricName: `${this.#name}_sum`, labels, sharedLabels, value: sum },
      { metricName: `${this.#name}_count`, labels, sharedLabels, value: count },
    ];
  }
}

/** Labels that prom-client writes behind the others; there must be some object. */
const sharedLabels: Labels = {};

type Labels = Readonly<Record<string, string>>;

interface Series {
  readonly labels: Labels;
  /** By bucket, the last one for what is above all bounds. */
  readonly counts: Float64Array;
  sum: number;
}
