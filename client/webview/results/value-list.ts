import type { ColumnFilter, ColumnValue, ViewColumn } from '../../protocol/results.ts';
import { element, setText, textButton } from './dom.ts';
import { formatCount, plural } from './format.ts';
import { openOverlay } from './overlay.ts';

type ValuesFilter = Extract<ColumnFilter, { kind: 'in' }>;

export interface ColumnValues {
  readonly values: readonly ColumnValue[];
  readonly incomplete: boolean;
}

/**
 * Filters a column by values chosen from those it has. One list, one place in the order of focus: arrows move, Space chooses, Ctrl+A
 * chooses all that the box above leaves.
 */
export function openValueList(
  anchor: HTMLElement,
  column: ViewColumn,
  { values, incomplete }: ColumnValues,
  current: ColumnFilter | undefined,
  apply: (filter: ValuesFilter | undefined) => void,
): void {
  document.querySelector('.value-list')?.remove();
  const filtered = current?.kind === 'in' ? current : undefined;
  const chosen = new Set<string | null>(filtered?.values);
  // What is filtered by stays in the list, also where no row has it any more.
  const known = new Set(values.map(({ text }) => text));
  const all = [...[...chosen].filter((text) => !known.has(text)).map((text) => ({ text, count: 0 })), ...values];

  const negate = element('select', { attributes: { 'aria-label': 'Condition' } }, [
    element('option', { text: 'is one of', attributes: { value: '' } }),
    element('option', { text: 'is none of', attributes: { value: 'not' } }),
  ]);
  negate.value = filtered?.negated ? 'not' : '';
  const find = element('input', {
    attributes: { type: 'text', spellcheck: 'false', placeholder: 'Find a value', 'aria-label': 'Find a value' },
  });
  const list = element('div', {
    class: 'value-options',
    attributes: { role: 'listbox', tabindex: '0', 'aria-multiselectable': 'true', 'aria-label': 'Values' },
  });
  const hint = element('p', { class: 'hint', attributes: { role: 'status' } });
  const options = all.map(({ text, count }, index) => {
    const shown = text ?? 'NULL';
    const option = element('div', { class: 'value-option', title: shown, attributes: { role: 'option' } }, [
      element('span', { class: 'value-mark', attributes: { 'aria-hidden': 'true' } }),
      element('span', {
        class: text === null ? 'value-text null' : 'value-text',
        text: shown === '' ? '(empty)' : shown,
      }),
      element('span', { class: 'value-count', text: formatCount(count) }),
    ]);
    option.id = `value-${index}`;
    option.addEventListener('click', () => {
      moveTo(index);
      toggle(index);
    });
    return option;
  });
  list.append(...options);
  let at = 0;

  const say = (): void => {
    const rest = incomplete ? ' Only the most frequent values are listed.' : '';
    setText(hint, `${plural(chosen.size, 'value')} chosen.${rest}`);
  };
  const paint = (index: number): void =>
    options[index]?.setAttribute('aria-selected', String(chosen.has(all[index]?.text ?? null)));
  function toggle(index: number): void {
    const text = all[index]?.text ?? null;
    if (!chosen.delete(text)) chosen.add(text);
    paint(index);
    say();
  }
  function moveTo(index: number): void {
    options[at]?.classList.remove('at');
    at = index;
    options[at]?.classList.add('at');
    options[at]?.scrollIntoView({ block: 'nearest' });
    list.setAttribute('aria-activedescendant', `value-${at}`);
  }
  const inSight = (): number[] => options.flatMap((option, index) => (option.hidden ? [] : [index]));
  const move = (step: number): void => {
    const seen = inSight();
    const next = seen[Math.max(0, Math.min(seen.length - 1, seen.indexOf(at) + step))];
    if (next !== undefined) moveTo(next);
  };

  const dialog = element(
    'div',
    { class: 'filter-dialog value-list', attributes: { role: 'dialog', 'aria-label': `Values of ${column.label}` } },
    [element('div', { class: 'dialog-title', text: `Values of ${column.label}` }), negate, find, list, hint],
  );
  const submit = (): void => {
    close();
    apply(chosen.size === 0 ? undefined : { kind: 'in', values: [...chosen], negated: negate.value === 'not' });
  };
  dialog.append(
    element('div', { class: 'dialog-buttons' }, [
      textButton('Apply', submit, true),
      textButton('Clear', () => {
        close();
        apply(undefined);
      }),
    ]),
  );
  find.addEventListener('input', () => {
    const wanted = find.value.toLowerCase();
    for (const [index, option] of options.entries())
      option.hidden = !(all[index]?.text ?? 'null').toLowerCase().includes(wanted);
    const [first] = inSight();
    if (first !== undefined) moveTo(first);
  });
  find.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown') return;
    list.focus();
    event.preventDefault();
  });
  list.addEventListener('keydown', (event) => {
    const steps: { readonly [key: string]: number } = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 8,
      PageUp: -8,
      Home: -all.length,
      End: all.length,
    };
    const step = steps[event.key];
    if (step !== undefined) move(step);
    else if (event.key === ' ' && !options[at]?.hidden) toggle(at);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      const seen = inSight();
      const every = seen.every((index) => chosen.has(all[index]?.text ?? null));
      for (const index of seen) if (chosen.has(all[index]?.text ?? null) === every) toggle(index);
    } else return;
    event.preventDefault();
  });
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) submit();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  for (const index of options.keys()) paint(index);
  say();
  moveTo(0);
  const close = openOverlay(dialog, anchor, () => close());
  list.focus();
}
