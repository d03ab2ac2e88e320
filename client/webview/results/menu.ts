import { element, iconOf, overlays } from './dom.ts';

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
  const before = document.activeElement instanceof HTMLElement ? document.activeElement : anchor;
  const menu = element('div', { class: 'menu', attributes: { role: 'menu', 'aria-label': label } });
  const close = (): void => {
    menu.remove();
    closeOpenMenu = undefined;
    document.removeEventListener('pointerdown', outside, true);
    before.focus();
  };
  const outside = (event: PointerEvent): void => {
    if (event.target instanceof Node && !menu.contains(event.target)) close();
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
  overlays().append(menu);
  const box = anchor.getBoundingClientRect();
  const left = Math.min(at?.x ?? box.left, window.innerWidth - menu.offsetWidth - 4);
  const wantedTop = at?.y ?? box.bottom + 2;
  const top =
    wantedTop + menu.offsetHeight > window.innerHeight
      ? Math.max(4, window.innerHeight - menu.offsetHeight - 4)
      : wantedTop;
  menu.style.left = `${Math.max(4, left)}px`;
  menu.style.top = `${top}px`;
  closeOpenMenu = close;
  document.addEventListener('pointerdown', outside, true);
  rows[0]?.focus();
}
