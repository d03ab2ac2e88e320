import type { ColumnFilter, ViewColumn } from '../../protocol/results.ts';
import { element, textButton } from './dom.ts';
import { openOverlay } from './overlay.ts';

type FilterKind =
  | 'contains'
  | 'notContains'
  | 'equals'
  | 'notEquals'
  | 'regex'
  | 'notRegex'
  | 'range'
  | 'null'
  | 'notNull';

const kindLabels: { readonly [kind in FilterKind]: string } = {
  contains: 'contains',
  notContains: 'does not contain',
  equals: 'is one of',
  notEquals: 'is none of',
  regex: 'matches the expression',
  notRegex: 'does not match the expression',
  range: 'is between',
  null: 'is null',
  notNull: 'is not null',
};

/**
 * Asks for one column's filter, next to its header. `apply(undefined)` removes the filter. What a cell contains is applied while it is typed;
 * whoever leaves without applying finds the rows as they were.
 */
export function openFilterDialog(
  anchor: HTMLElement,
  column: ViewColumn,
  current: ColumnFilter | undefined,
  apply: (filter: ColumnFilter | undefined) => void,
): void {
  document.querySelector('.filter-dialog')?.remove();
  const select = element('select', { attributes: { 'aria-label': 'Condition' } });
  for (const [kind, label] of Object.entries(kindLabels))
    select.append(element('option', { text: label, attributes: { value: kind } }));
  const first = element('input', { attributes: { type: 'text', spellcheck: 'false' } });
  const second = element('input', {
    attributes: { type: 'text', spellcheck: 'false', 'aria-label': 'Greatest value' },
  });
  const hint = element('p', { class: 'hint' });
  const dialog = element(
    'div',
    { class: 'filter-dialog', attributes: { role: 'dialog', 'aria-label': `Filter ${column.label}` } },
    [element('div', { class: 'dialog-title', text: `Filter ${column.label}` }), select, first, second, hint],
  );
  let applied = JSON.stringify(current);
  const applyOnce = (filter: ColumnFilter | undefined): void => {
    const look = JSON.stringify(filter);
    if (look === applied) return;
    applied = look;
    apply(filter);
  };
  const chosen = (): ColumnFilter | undefined => readFilter(select.value as FilterKind, first.value, second.value);
  const cancel = (): void => {
    applyOnce(current);
    close();
  };
  const submit = (): void => {
    // The host filters while the dialog goes.
    applyOnce(chosen());
    close();
  };
  // Half an expression or half a value would be wrong, or leave no rows.
  first.addEventListener('input', () => {
    if (select.value === 'contains' || select.value === 'notContains') applyOnce(chosen());
  });
  const adapt = (): void => {
    const kind = select.value as FilterKind;
    first.hidden = kind === 'null' || kind === 'notNull';
    second.hidden = kind !== 'range';
    first.setAttribute('aria-label', kind === 'range' ? 'Least value' : 'Value');
    first.placeholder = kind === 'range' ? 'from' : '';
    second.placeholder = 'to';
    hint.textContent = hintOf(kind, column);
    hint.hidden = hint.textContent === '';
  };
  fill(select, first, second, current);
  adapt();
  select.addEventListener('change', adapt);
  dialog.append(
    element('div', { class: 'dialog-buttons' }, [
      textButton('Apply', submit, true),
      textButton('Clear', () => {
        applyOnce(undefined);
        close();
      }),
    ]),
  );
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) submit();
    else if (event.key === 'Escape') cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const close = openOverlay(dialog, anchor, cancel);
  (first.hidden ? select : first).focus();
  first.select();
}

function hintOf(kind: FilterKind, column: ViewColumn): string {
  if (kind === 'regex' || kind === 'notRegex') return 'RE2 syntax; found anywhere in the cell.';
  if (kind === 'equals' || kind === 'notEquals') return 'Several values: separate them with commas.';
  if (kind === 'range' && column.kind === 'time')
    return 'Times as 2026-01-31 or 2026-01-31T12:00:00Z; an empty end is open.';
  return kind === 'range' ? 'Both ends count; an empty end is open.' : '';
}

function readFilter(kind: FilterKind, first: string, second: string): ColumnFilter | undefined {
  switch (kind) {
    case 'null':
    case 'notNull':
      return { kind: 'null', negated: kind === 'notNull' };
    case 'range':
      if (first === '' && second === '') return undefined;
      return { kind: 'range', min: first === '' ? undefined : first, max: second === '' ? undefined : second };
    case 'contains':
    case 'notContains':
      return first === '' ? undefined : { kind: 'contains', text: first, negated: kind === 'notContains' };
    case 'regex':
    case 'notRegex':
      return first === '' ? undefined : { kind: 'regex', pattern: first, negated: kind === 'notRegex' };
    case 'equals':
    case 'notEquals':
      if (first === '') return undefined;
      return { kind: 'in', values: first.split(',').map((value) => value.trim()), negated: kind === 'notEquals' };
  }
}

function fill(
  select: HTMLSelectElement,
  first: HTMLInputElement,
  second: HTMLInputElement,
  current: ColumnFilter | undefined,
): void {
  if (!current) return;
  const set = (kind: FilterKind, value = ''): void => {
    select.value = kind;
    first.value = value;
  };
  switch (current.kind) {
    case 'contains':
      set(current.negated ? 'notContains' : 'contains', current.text);
      break;
    case 'regex':
      set(current.negated ? 'notRegex' : 'regex', current.pattern);
      break;
    case 'in':
      set(current.negated ? 'notEquals' : 'equals', current.values.filter((value) => value !== null).join(', '));
      break;
    case 'null':
      set(current.negated ? 'notNull' : 'null');
      break;
    case 'range':
      set('range', current.min);
      second.value = current.max ?? '';
  }
}
