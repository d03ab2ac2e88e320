import type { FromResultsView, RunTab } from '../../protocol/results.ts';
import { element, iconButton, iconOf } from './dom.ts';
import { type MenuItem, openMenu } from './menu.ts';

/**
 * The strip of runs. One tab is in the order of focus; arrows move, Delete closes, Shift+F10 opens what else can be done. What the strip
 * has no room for is scrolled to, or chosen from the menu at its end.
 */
export interface TabStrip {
  readonly element: HTMLElement;
  show(tabs: readonly RunTab[], active: string | undefined): void;
}

/** Milliseconds and degrees of a spinner's step. */
const stepTime = 125;
const stepAngle = 45;
const stillMotion = window.matchMedia('(prefers-reduced-motion: reduce)');

export function createTabStrip(send: (message: FromResultsView) => void): TabStrip {
  const strip = element('div', { class: 'tabs', attributes: { role: 'tablist', 'aria-label': 'Runs' } });
  const all = iconButton({ icon: 'more', label: 'All results…', onClick: () => openList() });
  const bar = element('div', { class: 'tab-bar' }, [strip, all]);
  let shownTabs: readonly RunTab[] = [];
  let activeId: string | undefined;
  let ids: readonly string[] = [];
  let shown = '';
  let turning: ReturnType<typeof setInterval> | undefined;
  let angle = 0;
  /**
   * Spinners turn by steps. An animation of the style sheet would have every frame of the screen drawn while a query runs, and the first rows
   * would stand in line behind these frames.
   */
  const turn = (): void => {
    if (stillMotion.matches) return;
    angle = (angle + stepAngle) % 360;
    for (const spinner of strip.querySelectorAll<HTMLElement>('.spinner'))
      spinner.style.transform = `rotate(${angle}deg)`;
  };
  strip.addEventListener('keydown', (event) => {
    const index = ids.findIndex((id) => document.activeElement?.id === `tab-${id}`);
    const id = ids[index];
    if (id === undefined) return;
    const next =
      event.key === 'ArrowRight'
        ? ids[(index + 1) % ids.length]
        : event.key === 'ArrowLeft'
          ? ids[(index - 1 + ids.length) % ids.length]
          : undefined;
    if (next !== undefined) {
      send({ kind: 'activate', runId: next });
      document.getElementById(`tab-${next}`)?.focus();
    } else if (event.key === 'Delete') send({ kind: 'close', runId: id });
    else if (event.key === 'F2') send({ kind: 'rename', runId: id });
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) openTabMenu(id);
    else return;
    event.preventDefault();
  });

  // A wheel turns one way only, and the strip goes the other.
  strip.addEventListener(
    'wheel',
    ({ deltaX, deltaY }) => {
      if (deltaX === 0) strip.scrollLeft += deltaY;
    },
    { passive: true },
  );

  function openTabMenu(runId: string, at?: { x: number; y: number }): void {
    const tab = shownTabs.find(({ id }) => id === runId);
    const anchor = document.getElementById(`tab-${runId}`);
    if (!tab || !anchor) return;
    const item = (label: string, kind: 'togglePin' | 'rename' | 'openBeside' | 'close' | 'closeOthers'): MenuItem => ({
      label,
      run: () => send({ kind, runId }),
    });
    openMenu(
      anchor,
      tab.title,
      [
        { ...item('Pin', 'togglePin'), checked: tab.pinned },
        { ...item('Rename…', 'rename'), shortcut: 'F2' },
        item('Open beside the editor', 'openBeside'),
        { ...item('Close', 'close'), shortcut: 'Delete', separatorBefore: true },
        item('Close others that are not pinned', 'closeOthers'),
      ],
      at,
    );
  }

  function openList(): void {
    openMenu(
      all,
      'Results',
      shownTabs.map(({ id, title }) => ({
        label: title,
        checked: id === activeId,
        run: () => send({ kind: 'activate', runId: id }),
      })),
    );
  }

  function createTab(tab: RunTab, active: boolean): HTMLElement {
    const made = element('div', {
      class: active ? 'tab active' : 'tab',
      title: tab.kept ? `${tab.title} (kept on disk)` : tab.pinned ? `${tab.title} (pinned)` : tab.title,
      attributes: {
        role: 'tab',
        id: `tab-${tab.id}`,
        tabindex: active ? '0' : '-1',
        'aria-selected': String(active),
        'aria-controls': 'run',
      },
    });
    if (tab.phase === 'running')
      made.append(element('span', { class: 'spinner', attributes: { 'aria-hidden': 'true' } }));
    if (tab.phase === 'failed') made.append(iconOf('error'));
    if (tab.pinned) made.append(iconOf('pin'));
    made.append(element('span', { class: 'tab-title', text: tab.title }));
    const close = element(
      'span',
      { class: 'tab-close', title: 'Close (Delete)', attributes: { 'aria-hidden': 'true' } },
      [iconOf('close')],
    );
    close.addEventListener('click', (event) => {
      event.stopPropagation();
      send({ kind: 'close', runId: tab.id });
    });
    made.append(close);
    made.addEventListener('click', () => send({ kind: 'activate', runId: tab.id }));
    made.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      openTabMenu(tab.id, { x: event.clientX, y: event.clientY });
    });
    made.addEventListener('dblclick', () => send({ kind: 'rename', runId: tab.id }));
    made.addEventListener('auxclick', (event) => {
      if (event.button === 1) send({ kind: 'close', runId: tab.id });
    });
    return made;
  }

  return {
    element: bar,
    show(tabs, active) {
      const look = JSON.stringify([tabs, active]);
      if (look === shown) return;
      shown = look;
      const hadFocus = strip.contains(document.activeElement);
      shownTabs = tabs;
      activeId = active;
      ids = tabs.map(({ id }) => id);
      all.hidden = tabs.length < 2;
      strip.replaceChildren(...tabs.map((tab) => createTab(tab, tab.id === active)));
      clearInterval(turning);
      if (tabs.some(({ phase }) => phase === 'running')) turning = setInterval(turn, stepTime);
      if (hadFocus) document.getElementById(`tab-${active}`)?.focus();
      document.getElementById(`tab-${active}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    },
  };
}
