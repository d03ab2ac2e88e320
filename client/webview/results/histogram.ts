import type { RunView, TimeHistogram } from '../../protocol/results.ts';
import { element } from './dom.ts';
import { formatWindow, plural } from './format.ts';

/** Rows over time above the table. Dragging over bars asks for that window as the time range of the next run. */
export interface Histogram {
  readonly element: HTMLElement;
  /** Bars outside of the run's window, e.g. of launch dates, say nothing about when to look: they are shown and not dragged over. */
  show(histogram: TimeHistogram | undefined, columnLabel: string, window: RunView['window'] | undefined): void;
  /** Takes the place of bars that are on their way, or leaves it to others. */
  reserve(coming: boolean): void;
}

export function createHistogram(brushed: (start: string, end: string) => void): Histogram {
  const bars = element('div', { class: 'histogram-bars', attributes: { role: 'img' } });
  const caption = element('div', { class: 'histogram-caption', attributes: { 'aria-hidden': 'true' } });
  const whole = element('div', { class: 'histogram' }, [bars, caption]);
  whole.hidden = true;
  let shown: TimeHistogram | undefined;
  let from: number | undefined;

  const barAt = (event: PointerEvent): number => {
    const box = bars.getBoundingClientRect();
    const count = shown?.counts.length ?? 1;
    return Math.max(0, Math.min(count - 1, Math.floor(((event.clientX - box.left) / box.width) * count)));
  };
  const timeOf = (bar: number): string =>
    new Date(Date.parse(shown?.start ?? '') + bar * (shown?.span ?? 0)).toISOString();
  const paint = (first: number, last: number): void => {
    for (const [index, bar] of [...bars.children].entries())
      bar.classList.toggle('brushed', index >= first && index <= last);
  };
  bars.addEventListener('pointerdown', (event) => {
    if (!brushable) return;
    from = barAt(event);
    bars.setPointerCapture(event.pointerId);
    paint(from, from);
  });
  bars.addEventListener('pointermove', (event) => {
    const at = barAt(event);
    if (shown)
      caption.textContent = `${formatWindow(timeOf(at), timeOf(at + 1))}: ${plural(shown.counts[at] ?? 0, 'row')}`;
    if (from !== undefined) paint(Math.min(from, at), Math.max(from, at));
  });
  bars.addEventListener('pointerleave', () => describe());
  bars.addEventListener('pointerup', (event) => {
    if (from === undefined) return;
    const to = barAt(event);
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    from = undefined;
    paint(-1, -1);
    // A click on one bar is too easily an accident to change the time range.
    if (last > first) brushed(timeOf(first), timeOf(last + 1));
  });
  let label = '';
  let brushable = false;
  const describe = (): void => {
    if (!shown) return;
    const what = `${label}, ${formatWindow(shown.start, shown.end)}.`;
    caption.textContent = brushable ? `${what} Drag to choose a time range.` : what;
  };

  return {
    element: whole,
    reserve(coming) {
      if (whole.hidden === coming) whole.hidden = !coming;
    },
    show(histogram, columnLabel, window) {
      shown = histogram;
      brushable = histogram !== undefined && window !== undefined && liesWithin(histogram, window);
      bars.classList.toggle('brushable', brushable);
      label = columnLabel;
      whole.hidden = histogram === undefined;
      if (!histogram) return;
      const most = Math.max(...histogram.counts, 1);
      bars.setAttribute(
        'aria-label',
        `Rows over ${columnLabel} from ${histogram.start} to ${histogram.end}; at most ${plural(most, 'row')} in one bar`,
      );
      bars.replaceChildren(
        ...histogram.counts.map((count) => {
          const bar = element('div', { class: 'histogram-bar' });
          bar.style.height = count === 0 ? '0' : `${Math.max(4, (count / most) * 100)}%`;
          return bar;
        }),
      );
      describe();
    },
  };
}

/** Whether the bars are about the time that was asked for: the better part of them lies in the window. Events may come in late. */
export function liesWithin(
  histogram: Pick<TimeHistogram, 'start' | 'end'>,
  window: Pick<RunView['window'], 'start' | 'end'>,
): boolean {
  const [start, end] = [Date.parse(histogram.start), Date.parse(histogram.end)];
  const inside = Math.min(end, Date.parse(window.end)) - Math.max(start, Date.parse(window.start));
  return inside >= (end - start) / 2;
}
