import './find.css';
import type { FromResultsView, RunView, ToResultsView } from '../../protocol/results.ts';
import { element, iconButton, setText } from './dom.ts';
import { formatCount } from './format.ts';
import type { Grid } from './grid.ts';

/** Goes from one cell that has a text to the next one. It is the host that looks: it has the rows. */
export interface FindBar {
  readonly element: HTMLElement;
  open(): void;
  /** To the next or previous match, from wherever the focus is. */
  step(backwards: boolean): void;
  show(run: RunView): void;
  receive(found: Extract<ToResultsView, { kind: 'found' }>): void;
}

const typingDelay = 120;

export function createFindBar(grid: Grid, send: (message: FromResultsView) => void): FindBar {
  let run: RunView | undefined;
  /** The text and rows that the count is of. */
  let asked = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const box = element('input', {
    class: 'search find-text',
    attributes: {
      type: 'text',
      placeholder: 'Find',
      'aria-label': 'Find in cells',
      spellcheck: 'false',
      maxlength: '1000',
    },
  });
  const count = element('span');
  const place = element('span', { class: 'visually-hidden' });
  const bar = element('div', { class: 'find', attributes: { role: 'search', 'aria-label': 'Find in the table' } }, [
    box,
    element('div', { class: 'find-count', attributes: { role: 'status' } }, [count, place]),
    iconButton({ icon: 'up', label: 'Previous Match (Shift+Enter)', onClick: () => step(true) }),
    iconButton({ icon: 'down', label: 'Next Match (Enter)', onClick: () => step(false) }),
    iconButton({ icon: 'close', label: 'Close (Escape)', onClick: () => close() }),
  ]);
  bar.hidden = true;

  const say = (shown: string, heard: string): void => {
    setText(count, shown);
    setText(place, heard);
    bar.classList.toggle('without-match', shown === 'No results');
  };
  const keyOf = (): string => (run ? JSON.stringify([run.id, run.revision, run.layout.order, box.value]) : '');

  function ask(backwards: boolean, stay: boolean): void {
    clearTimeout(timer);
    timer = undefined;
    if (!run) return;
    asked = keyOf();
    if (box.value === '') {
      say('', '');
      return;
    }
    const { row, column } = grid.focused() ?? { row: 0, column: -1 };
    // A text that grows stays with the cell that has it.
    const from = { row, column: stay ? column - 1 : column };
    send({ kind: 'find', runId: run.id, revision: run.revision, text: box.value, from, backwards });
  }
  function step(backwards: boolean): void {
    if (bar.hidden || box.value === '') open();
    ask(backwards, !backwards && timer !== undefined);
  }
  function open(): void {
    if (!run || run.rowCount === 0) return;
    bar.hidden = false;
    box.focus();
    box.select();
  }
  function close(): void {
    clearTimeout(timer);
    timer = undefined;
    bar.hidden = true;
    grid.focus();
  }

  box.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => ask(false, true), typingDelay);
  });
  bar.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === box) step(event.shiftKey);
    else return;
    event.preventDefault();
  });

  return {
    element: bar,
    open,
    step,
    show(next) {
      run = next;
      if (bar.hidden) return;
      if (next.rowCount === 0) bar.hidden = true;
      else if (asked !== keyOf()) say('', '');
    },
    receive({ text, match, count: all }) {
      if (!run || bar.hidden || text !== box.value || asked !== keyOf()) return;
      if (!match) return say('No results', '');
      grid.moveTo(match.row, match.position);
      const column = run.columns[run.layout.order[match.position] ?? -1]?.label ?? '';
      say(
        `${formatCount(match.index + 1)} of ${formatCount(all)} ${all === 1 ? 'cell' : 'cells'}`,
        `, row ${formatCount(match.row + 1)}, ${column}`,
      );
    },
  };
}
