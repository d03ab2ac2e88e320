import type { Field, JsonTreeLine, RunView, ToResultsView } from '../../protocol/results.ts';
import { element, iconButton } from './dom.ts';
import { cutText, formatCount } from './format.ts';
import { createJsonTree, type QueryEdit } from './json-tree.ts';

export interface InspectorEvents {
  copy(text: string): void;
  /** Asks for a change of the query's text from a value inside a JSON column. */
  edit(edit: QueryEdit, column: number, line: JsonTreeLine): void;
  closed(): void;
}

/** The host lists no more members of one value. */
const maxTreeLines = 3000;

/** One row in full, beside the table: every column with its whole text, JSON as a tree. */
export interface Inspector {
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  open(): void;
  close(): void;
  show(run: RunView, answer: Extract<ToResultsView, { kind: 'row' }>, position: number | undefined): void;
}

export function createInspector(events: InspectorEvents): Inspector {
  const title = element('h2', { class: 'inspector-title' });
  const fields = element('div', {
    class: 'inspector-fields',
    attributes: { role: 'group', tabindex: '0', 'aria-label': 'Fields of the row' },
  });
  const close = (): void => {
    panel.hidden = true;
    events.closed();
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

  function createField(label: string, kind: string, field: Field, column: number, focused: boolean): HTMLElement {
    const name = element('div', { class: focused ? 'field-name focused' : 'field-name' }, [
      element('h3', { text: label }),
    ]);
    const { text, tree } = field;
    if (text !== null) {
      name.append(iconButton({ icon: 'copy', label: `Copy ${label}`, onClick: () => events.copy(text) }));
    }
    const value: HTMLElement =
      tree && tree.length > 0
        ? createJsonTree(label, tree, { copy: events.copy, edit: (edit, line) => events.edit(edit, column, line) })
        : element('pre', { class: text === null ? 'null' : kind, text: cutText(text ?? 'NULL') });
    const whole = element('section', { class: 'field' }, [name, value]);
    if (tree && tree.length >= maxTreeLines)
      whole.append(
        element('p', { class: 'hint', text: 'There are more members than are listed. Copy takes them all.' }),
      );
    return whole;
  }

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
      title.textContent = `Row ${formatCount(answer.row + 1)}`;
      const focused = position === undefined ? undefined : run.layout.order[position];
      fields.replaceChildren(
        ...run.layout.order.map((column) => {
          const { label, kind } = run.columns[column] ?? { label: '', kind: 'text' };
          return createField(label, kind, answer.fields[column] ?? { text: null }, column, column === focused);
        }),
      );
      // The field that was asked for stands at the top, whole: below the edge its name would be seen and its value not.
      const [first, chosen] = [fields.firstElementChild, fields.querySelector('.focused')];
      const edgeOf = (element: Element | null): number => element?.getBoundingClientRect().top ?? 0;
      fields.scrollTop = first && chosen ? edgeOf(chosen) - edgeOf(first) : 0;
    },
  };
}
