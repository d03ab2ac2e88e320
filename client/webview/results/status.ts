import type { RunView } from '../../protocol/results.ts';
import { element, setText } from './dom.ts';
import { formatCount, formatDuration, formatWindow, plural } from './format.ts';

/** One line: rows, duration, window, account. A screen reader hears it when the run ends, not at every tick of the clock. */
export interface StatusLine {
  readonly element: HTMLElement;
  show(run: RunView): void;
}

export function createStatusLine(): StatusLine {
  const rows = element('span', { class: 'status-rows' });
  const details = element('span', { class: 'status-details' });
  const live = element('span', { class: 'visually-hidden', attributes: { role: 'status' } });
  const line = element('div', { class: 'status', attributes: { 'data-testid': 'result-status' } }, [rows, details]);
  const whole = element('div', { class: 'status-line' }, [line, live]);
  let timer: ReturnType<typeof setInterval> | undefined;

  const rowsText = (run: RunView): string => {
    switch (run.phase) {
      case 'running':
        return `Running… ${formatDuration(Math.max(0, Date.now() - run.startedAt))}`;
      case 'failed':
        return 'Failed';
      case 'cancelled':
        return 'Cancelled';
      case 'succeeded':
        return run.shownCount === run.rowCount
          ? plural(run.rowCount, 'row')
          : `${formatCount(run.shownCount)} of ${plural(run.rowCount, 'row')}`;
    }
  };

  return {
    element: whole,
    show(run) {
      clearInterval(timer);
      const window = `${run.window.label} (${formatWindow(run.window.start, run.window.end)})`;
      const parts = [
        ...(run.durationMs === undefined ? [] : [formatDuration(run.durationMs)]),
        // Before the window, which is long: where the rows come from is the last thing to be cut.
        run.accountLabel,
        window,
      ];
      if (run.busy) parts.push('arranging…');
      const text = rowsText(run);
      setText(rows, text);
      setText(details, ` · ${parts.join(' · ')}`);
      const title = `${text} · ${parts.join(' · ')}`;
      if (line.title !== title) line.title = title;
      if (run.phase === 'running') {
        timer = setInterval(() => {
          rows.textContent = rowsText(run);
        }, 100);
      }
      const remark = run.note === undefined ? '' : `. ${run.note}`;
      const spoken = run.phase === 'running' ? 'Running query' : `${text}, ${window}, ${run.accountLabel}${remark}`;
      setText(live, spoken);
    },
  };
}
