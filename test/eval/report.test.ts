import { describe, expect, it } from 'vitest';
import { rateOf } from '../../src/eval/interval.js';
import { curvePlot } from '../../src/eval/report/curve-plot.js';
import { dotPlot, scaleFor } from '../../src/eval/report/dot-plot.js';
import { escapeHtml, percent } from '../../src/eval/report/html.js';

const policy = {
  policy: 'LLM01' as const,
  mode: 'enforce' as const,
  threshold: 0.5,
  recall: rateOf(50, 100),
  macro_recall: { rate: 0.5, sources: 1 },
  false_positives: rateOf(10, 1_000),
  precision: rateOf(50, 60),
  elsewhere: 0,
  sources: [],
  curve: [
    { threshold: 0.9, found: 20, flagged: 0 },
    { threshold: 0.5, found: 50, flagged: 10 },
    { threshold: 0.1, found: 100, flagged: 1_000 },
  ],
};

describe('curvePlot', () => {
  it('puts the operating point and every threshold where they belong', () => {
    const svg = curvePlot(policy);
    // The panel is 256 by 156 units inside of its margins of 34 and 24; 1 % is the middle of four decades.
    expect(svg).toContain('<circle class="o" cx="162" cy="102"');
    expect(svg).toContain('<path class="c" d="M34 180H34V148.8H162V102H290V24"/>');
    expect(svg).toContain('50.0 % at 1.0 %');
    expect(svg).toContain('<title>threshold 0.9</title>');
  });

  it('says so where there are no attacks', () => {
    expect(curvePlot({ ...policy, recall: rateOf(0, 0), curve: [] })).toContain('no attacks in the data');
  });
});

describe('dotPlot', () => {
  it('puts a share on the scale, its interval around it', () => {
    const html = dotPlot([{ key: 'a<b', rate: rateOf(5, 10) }], 'recall');
    expect(html).toContain('<circle class="p" cx="50%"');
    expect(html).toContain('a&#60;b');
    const [, low, high] = /class="i" x1="([\d.]+)%" x2="([\d.]+)%"/.exec(html) ?? [];
    expect([Number(low), Number(high)]).toEqual([26.29, 73.71]);
  });

  it.each([
    [[0], 0.001],
    [[0.003, 0.012], 0.02],
    [[0.7], 1],
  ])('has a round scale for %j', (shares, scale) => {
    expect(scaleFor(shares.map((share) => ({ key: 'k', rate: rateOf(share * 1_000, 1_000) })))).toBe(scale);
  });
});

describe('escapeHtml and percent', () => {
  it('leave nothing that acts or reorders', () => {
    expect(escapeHtml('<a href="x">&\'\u202e\u0000\ud800\n')).toBe(
      '&#60;a href=&#34;x&#34;&#62;&#38;&#39;\\u202e\\u0000\\ud800\n',
    );
  });

  it.each([
    [0, '0.0 %'],
    [0.0012, '0.12 %'],
    [0.5, '50.0 %'],
  ])('%f is %s', (share, text) => expect(percent(share)).toBe(text));
});
