import type { RunView, TimeHistogram } from '../../protocol/results.ts';
import { element, setText } from './dom.ts';
import { formatWindow, plural } from './format.ts';

/**
 * Rows over time above the table. Dragging over bars asks for that window as the time range of the next run; so do arrows with Shift, and
 * Enter. A screen reader knows the bars as a list.
 */
export interface Histogram {
  readonly element: HTMLElement;
  /** Bars outside of the run's window, e.g. of launch dates, say nothing about when to look: they are shown and nothing is chosen among them. */
  show(histogram: TimeHistogram | undefined, columnLabel: string, window: RunView['window'] | undefined): void;
  /** Takes the place of bars that are on their way, or leaves it to others. */
  reserve(coming: boolean): void;
}

export function createHistogram(brushed: (start: string, end: string) => void): Histogram {
  const bars = element('div', { class: 'histogram-bars', attributes: { role: 'listbox', tabindex: '0' } });
  const caption = element('div', { class: 'histogram-caption', attributes: { 'aria-hidden': 'true' } });
  const whole = element('div', { class: 'histogram' }, [bars, caption]);
  whole.hidden = true;
  let shown: TimeHistogram | undefined;
  let label = '';
  let brushable = false;
  /** Where a drag began. */
  let from: number | undefined;
  /** The bar that the keyboard is at, and where its selection began. */
  let at = 0;
  let anchor = 0;

  const lastBar = (): number => (shown?.counts.length ?? 1) - 1;
  const barAt = (event: PointerEvent): number => {
    const box = bars.getBoundingClientRect();
    const bar = Math.floor(((event.clientX - box.left) / box.width) * (lastBar() + 1));
    return Math.max(0, Math.min(lastBar(), bar));
  };
  const timeOf = (bar: number): string =>
    new Date(Date.parse(shown?.start ?? '') + bar * (shown?.span ?? 0)).toISOString();
  const tell = (bar: number): string =>
    `${formatWindow(timeOf(bar), timeOf(bar + 1))}: ${plural(shown?.counts[bar] ?? 0, 'row')}`;
  const paint = (first: number, last: number): void => {
    for (const [index, bar] of [...bars.children].entries()) {
      const chosen = index >= first && index <= last;
      bar.classList.toggle('brushed', chosen);
      bar.setAttribute('aria-selected', String(chosen));
    }
  };
  const choose = (first: number, last: number): void => brushed(timeOf(first), timeOf(last + 1));
  const describe = (): void => {
    if (!shown) return;
    const what = `${label}, ${formatWindow(shown.start, shown.end)}.`;
    setText(caption, brushable ? `${what} Drag to choose a time range.` : what);
  };

  bars.addEventListener('pointerdown', (event) => {
    if (!brushable) return;
    from = barAt(event);
    bars.setPointerCapture(event.pointerId);
    paint(from, from);
  });
  bars.addEventListener('pointermove', (event) => {
    const bar = barAt(event);
    if (shown) setText(caption, tell(bar));
    if (from !== undefined) paint(Math.min(from, bar), Math.max(from, bar));
  });
  bars.addEventListener('pointerleave', describe);
  bars.addEventListener('pointerup', (event) => {
    if (from === undefined) return;
    const to = barAt(event);
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    from = undefined;
    paint(-1, -1);
    // A click on one bar is too easily an accident to change the time range.
    if (last > first) choose(first, last);
  });

  const moveTo = (bar: number, extend: boolean): void => {
    bars.children[at]?.classList.remove('at');
    at = Math.max(0, Math.min(lastBar(), bar));
    if (!extend || !brushable) anchor = at;
    bars.children[at]?.classList.add('at');
    bars.setAttribute('aria-activedescendant', barId(at));
    if (brushable) paint(Math.min(anchor, at), Math.max(anchor, at));
    const [first, last] = [Math.min(anchor, at), Math.max(anchor, at)];
    const range = first === last ? tell(at) : formatWindow(timeOf(first), timeOf(last + 1));
    setText(caption, brushable ? `${range}. Shift and arrows choose more, Enter sets the time range.` : range);
  };
  const leave = (): void => {
    bars.children[at]?.classList.remove('at');
    bars.removeAttribute('aria-activedescendant');
    paint(-1, -1);
    describe();
  };
  bars.addEventListener('focus', () => {
    // A press of the pointer says itself what is chosen.
    if (bars.matches(':focus-visible')) moveTo(at, false);
  });
  bars.addEventListener('blur', leave);
  bars.addEventListener('keydown', (event) => {
    const { key, shiftKey } = event;
    const moves: { readonly [key: string]: number } = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      PageUp: at - 10,
      PageDown: at + 10,
      Home: 0,
      End: lastBar(),
    };
    const bar = moves[key];
    if (bar !== undefined) moveTo(bar, shiftKey);
    else if (key === 'Escape' && anchor !== at) moveTo(at, false);
    else if (key === 'Enter' && brushable) choose(Math.min(anchor, at), Math.max(anchor, at));
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

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
      const how = brushable ? '. Shift and arrows choose bars, Enter sets the time range' : '';
      bars.setAttribute('aria-multiselectable', String(brushable));
      bars.setAttribute(
        'aria-label',
        `Rows over ${columnLabel}, ${formatWindow(histogram.start, histogram.end)}, at most ${plural(most, 'row')} in one bar${how}`,
      );
      bars.replaceChildren(
        ...histogram.counts.map((count, index) => {
          const fill = element('div', { class: 'histogram-fill' });
          fill.style.height = count === 0 ? '0' : `${Math.max(4, (count / most) * 100)}%`;
          const attributes = { role: 'option', id: barId(index), 'aria-label': tell(index), 'aria-selected': 'false' };
          return element('div', { class: 'histogram-bar', attributes }, [fill]);
        }),
      );
      at = Math.min(at, lastBar());
      anchor = at;
      if (document.activeElement === bars) moveTo(at, false);
      else describe();
    },
  };
}

function barId(bar: number): string {
  return `bar-${bar}`;
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
