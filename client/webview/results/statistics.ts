import type { ColumnStatistics, ViewColumn } from '../../protocol/results.ts';
import { element, iconButton } from './dom.ts';
import { formatCount } from './format.ts';
import { openOverlay } from './overlay.ts';

/** What a column holds, in a small window next to its header. A click on a frequent value filters by it. */
export function openStatistics(
  anchor: HTMLElement,
  column: ViewColumn,
  statistics: ColumnStatistics,
  filterBy: (text: string) => void,
): void {
  document.querySelector('.statistics')?.remove();
  const { rows, nulls, distinct, distinctCapped, min, max, mean, top } = statistics;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Rows', formatCount(rows)],
    ['Nulls', rows === 0 ? '0' : `${formatCount(nulls)} (${((nulls / rows) * 100).toFixed(1)} %)`],
    ['Different values', distinctCapped ? `more than ${formatCount(distinct)}` : formatCount(distinct)],
    ['Least', min],
    ['Greatest', max],
    ['Mean', mean === undefined ? undefined : mean.toLocaleString(undefined, { maximumFractionDigits: 3 })],
  ];
  const list = element('dl', { class: 'facts' });
  for (const [name, value] of facts) {
    if (value !== undefined) list.append(element('dt', { text: name }), element('dd', { text: value, title: value }));
  }
  const panel = element(
    'div',
    { class: 'statistics', attributes: { role: 'dialog', 'aria-label': `Statistics of ${column.label}` } },
    [
      element('div', { class: 'inspector-head' }, [
        element('h2', { class: 'inspector-title', text: column.label }),
        iconButton({ icon: 'close', label: 'Close statistics (Escape)', onClick: () => close() }),
      ]),
      list,
    ],
  );
  const most = top[0]?.count ?? 1;
  for (const { text, count } of top) {
    const bar = element('span', { class: 'bar', attributes: { 'aria-hidden': 'true' } });
    bar.style.width = `${(count / most) * 100}%`;
    const value = element(
      'button',
      { class: 'top-value', title: `Show only rows with ${text}`, attributes: { type: 'button' } },
      [
        bar,
        element('span', { class: 'top-text', text }),
        element('span', { class: 'top-count', text: formatCount(count) }),
      ],
    );
    value.addEventListener('click', () => {
      close();
      filterBy(text);
    });
    panel.append(value);
  }
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  const close = openOverlay(panel, anchor, () => close());
  panel.querySelector('button')?.focus();
}
