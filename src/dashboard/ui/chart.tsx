import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatCompact, formatNumber } from '../format.js';
import { onThemeChange } from '../theme.js';

interface TimeSeries {
  readonly name: string;
  /** Name of the custom property with its colour. */
  readonly colour: string;
  readonly values: readonly number[];
}

interface Props {
  /** What it shows, for those who cannot see it; the numbers stand in a table beside it. */
  readonly label: string;
  /** Starts of the buckets, ISO 8601. */
  readonly starts: readonly string[];
  readonly series: readonly TimeSeries[];
}

const heightPx = 220;
const daySeconds = 86_400;
const dayLabel = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const hourLabel = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Bars over time, each series drawn over the one before. */
export function TimeChart({ label, starts, series }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const names = series.map(({ name }) => name).join();
  const values: uPlot.AlignedData = [
    starts.map((start) => Date.parse(start) / 1_000),
    ...series.map((one) => [...one.values]),
  ];
  const step = stepOf(values[0]);
  const latest = useRef(values);
  latest.current = values;

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(plotOptions(element, series, step), latest.current, element);
    };
    draw();
    const resized = new ResizeObserver(() => {
      if (plot.current?.width !== element.clientWidth) {
        plot.current?.setSize({ width: element.clientWidth, height: heightPx });
      }
    });
    resized.observe(element);
    const stopWatching = onThemeChange(draw);
    return () => {
      stopWatching();
      resized.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [names, step]);
  useEffect(() => plot.current?.setData(latest.current), [values]);
  return <div class="chart" ref={place} role="img" aria-label={label} />;
}

function plotOptions(element: HTMLElement, series: readonly TimeSeries[], stepSeconds: number): uPlot.Options {
  const colour = (property: string) => colourOf(element, property);
  const axis: uPlot.Axis = {
    stroke: colour('--quiet-text'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  const bars = uPlot.paths.bars?.({ size: [0.8, 40], align: 1 });
  return {
    width: element.clientWidth,
    height: heightPx,
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    legend: { live: true },
    // A bar stands on the time after its start: the last one needs room, too.
    scales: {
      x: { range: (_plot, low, high) => [low, high + stepSeconds] },
      y: { range: (_plot, _low, high) => [0, Math.max(4, high * 1.1)] },
    },
    axes: [
      { ...axis, grid: { show: false }, values: (_plot, marks, _axis, _space, step) => timeLabels(marks, step) },
      { ...axis, size: 46, values: (_plot, marks) => marks.map((mark) => (mark % 1 === 0 ? formatCompact(mark) : '')) },
    ],
    series: [
      { value: (_plot, seconds) => (seconds === null ? '–' : new Date(seconds * 1_000).toLocaleString('en-GB')) },
      ...series.map((one) => ({
        label: one.name,
        fill: colour(one.colour),
        stroke: colour(one.colour),
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
        value: (_plot: uPlot, value: number | null) => (value === null ? '–' : formatNumber(value)),
      })),
    ],
  };
}

/** Hours with their day below where a day begins, or days alone; `marks` are Unix seconds, as is the step between. */
function timeLabels(marks: readonly number[], stepSeconds: number): string[] {
  return marks.map((mark, at) => {
    const time = new Date(mark * 1_000);
    const day = dayLabel.format(time);
    if (stepSeconds >= daySeconds) return day;
    const before = marks[at - 1];
    const isNewDay = before === undefined || dayLabel.format(new Date(before * 1_000)) !== day;
    return isNewDay ? `${hourLabel.format(time)}\n${day}` : hourLabel.format(time);
  });
}

/** Seconds from one bucket to the next. */
function stepOf(starts: ArrayLike<number>): number {
  return starts.length < 2 ? 0 : (starts[1] ?? 0) - (starts[0] ?? 0);
}

/** A canvas understands plain colours only: an element of the page says what the property comes to. */
function colourOf(element: HTMLElement, property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
