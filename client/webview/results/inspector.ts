import type { RunView, ToResultsView } from '../../protocol/results.ts';
import { element, iconButton } from './dom.ts';
import { formatCount } from './format.ts';

/** Laying out a longer text would stop the view for seconds. */
const maxShown = 100_000;

/** One row in full, beside the table: every column with its whole text, JSON laid out. */
export interface Inspector {
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  open(): void;
  close(): void;
  show(run: RunView, answer: Extract<ToResultsView, { kind: 'row' }>, position: number | undefined): void;
}

export function createInspector(copy: (text: string) => void, closed: () => void): Inspector {
  const title = element('h2', { class: 'inspector-title' });
  const fields = element('dl', {
    class: 'inspector-fields',
    attributes: { tabindex: '0', 'aria-label': 'Fields of the row' },
  });
  const close = (): void => {
    panel.hidden = true;
    closed();
  };
  const panel = element('aside', { class: 'inspector', attributes: { 'aria-label': 'Row details' } }, [
    element('div', { class: 'inspector-head' }, [
      title,
      iconButton({ icon: 'close', label: 'Close row details (Escape)', onClick: close }),
    ]),
    fields,
  ]);
  panel.hidden = true;
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  return {
    element: panel,
    get isOpen() {
      return !panel.hidden;
    },
    open() {
      panel.hidden = false;
    },
    close,
    show(run, answer, position) {
      title.textContent = `Row ${(answer.row + 1).toLocaleString()}`;
      const focused = position === undefined ? undefined : run.layout.order[position];
      const items: HTMLElement[] = [];
      for (const column of run.layout.order) {
        const text = answer.cells[column] ?? null;
        const name = element('dt', { text: run.columns[column]?.label ?? '' });
        const value = element('dd', { class: text === null ? 'null' : (run.columns[column]?.kind ?? 'text') }, [
          element('pre', { text: (text ?? 'NULL').slice(0, maxShown) }),
        ]);
        if (text !== null && text.length > maxShown) {
          const more = text.length - maxShown;
          value.append(
            element('p', { class: 'hint', text: `${formatCount(more)} more characters. Copy takes them all.` }),
          );
        }
        if (text !== null)
          value.append(
            iconButton({ icon: 'copy', label: `Copy ${run.columns[column]?.label ?? ''}`, onClick: () => copy(text) }),
          );
        if (column === focused) name.classList.add('focused');
        items.push(name, value);
      }
      fields.replaceChildren(...items);
      fields.querySelector('dt.focused')?.scrollIntoView({ block: 'nearest' });
    },
  };
}
