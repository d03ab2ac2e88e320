import { element, iconOf } from './dom.ts';
import { openOverlay } from './overlay.ts';

export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
  readonly checked?: boolean;
  readonly shortcut?: string;
  readonly separatorBefore?: boolean;
}

let closeOpenMenu: (() => void) | undefined;

/** Opens a menu below `anchor`; arrows move, Enter picks, Escape closes and gives the focus back. */
export function openMenu(
  anchor: HTMLElement,
  label: string,
  items: readonly MenuItem[],
  at?: { x: number; y: number },
): void {
  closeOpenMenu?.();
  const menu = element('div', { class: 'menu', attributes: { role: 'menu', 'aria-label': label } });
  const close = (): void => {
    closeOpenMenu = undefined;
    leave();
  };
  const rows = items.map((item) => {
    const checkable = item.checked !== undefined;
    const row = element('div', {
      class: item.separatorBefore ? 'menu-item separated' : 'menu-item',
      attributes: {
        role: checkable ? 'menuitemcheckbox' : 'menuitem',
        tabindex: '-1',
        ...(checkable ? { 'aria-checked': String(item.checked) } : {}),
      },
    });
    const mark = element('span', { class: 'menu-mark' });
    if (item.checked) mark.append(iconOf('check'));
    row.append(mark, element('span', { class: 'menu-label', text: item.label }));
    if (item.shortcut) row.append(element('span', { class: 'menu-shortcut', text: item.shortcut }));
    row.addEventListener('click', () => {
      close();
      item.run();
    });
    row.addEventListener('pointerenter', () => row.focus());
    return row;
  });
  menu.append(...rows);
  menu.addEventListener('keydown', (event) => {
    const index = rows.indexOf(document.activeElement as HTMLDivElement);
    const moves: { readonly [key: string]: number } = {
      ArrowDown: (index + 1) % rows.length,
      ArrowUp: (index - 1 + rows.length) % rows.length,
      Home: 0,
      End: rows.length - 1,
    };
    const move = moves[event.key];
    if (move !== undefined) rows[move]?.focus();
    else if (event.key === 'Enter' || event.key === ' ') rows[index]?.click();
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const leave = openOverlay(menu, anchor, close, at);
  closeOpenMenu = close;
  rows[0]?.focus();
}
