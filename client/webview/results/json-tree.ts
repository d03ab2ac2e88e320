import type { JsonTreeLine } from '../../protocol/results.ts';
import { element } from './dom.ts';
import { cutText } from './format.ts';
import { openMenu } from './menu.ts';

export type QueryEdit = 'filter' | 'exclude' | 'addColumn';

export interface JsonTreeEvents {
  copy(text: string): void;
  edit(edit: QueryEdit, line: JsonTreeLine): void;
}

/** Deeper members start folded. */
const openDepth = 2;

/** A JSON value as a tree: arrows move, fold and unfold; Enter opens what can be done with a member. */
export function createJsonTree(label: string, lines: readonly JsonTreeLine[], events: JsonTreeEvents): HTMLElement {
  const tree = element('div', { class: 'json-tree', attributes: { role: 'tree', 'aria-label': label } });
  const folded = new Set<number>();
  const hasMembers = (index: number): boolean => (lines[index + 1]?.depth ?? 0) > (lines[index]?.depth ?? 0);
  for (const [index, line] of lines.entries()) if (hasMembers(index) && line.depth >= openDepth) folded.add(index);

  const items = lines.map((line, index) => {
    const item = element(
      'div',
      {
        class: `json-line ${line.kind}`,
        attributes: {
          role: 'treeitem',
          tabindex: index === 0 ? '0' : '-1',
          'aria-level': String(line.depth + 1),
          'aria-selected': 'false',
        },
      },
      [
        element('span', { class: 'json-fold', attributes: { 'aria-hidden': 'true' } }),
        element('span', { class: 'json-key', text: line.label }),
        element('span', { class: 'json-value', text: cutText(line.text) }),
      ],
    );
    item.style.paddingLeft = `${line.depth * 14}px`;
    item.addEventListener('click', () => {
      focus(index);
      if (hasMembers(index)) toggle(index);
    });
    item.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      focus(index);
      openLineMenu(index, { x: event.clientX, y: event.clientY });
    });
    return item;
  });
  tree.append(...items);

  /** Shows what no folded parent hides. */
  function paint(): void {
    let hiddenBelow = Number.POSITIVE_INFINITY;
    for (const [index, line] of lines.entries()) {
      const item = items[index];
      if (!item) continue;
      if (line.depth <= hiddenBelow) hiddenBelow = Number.POSITIVE_INFINITY;
      item.hidden = line.depth > hiddenBelow;
      if (!hasMembers(index)) continue;
      const closed = folded.has(index);
      item.setAttribute('aria-expanded', String(!closed));
      if (closed && !item.hidden) hiddenBelow = line.depth;
    }
  }

  function toggle(index: number, open = folded.has(index)): void {
    if (open) folded.delete(index);
    else folded.add(index);
    paint();
  }

  function focus(index: number): void {
    for (const item of items) item.tabIndex = -1;
    const item = items[index];
    if (!item) return;
    item.tabIndex = 0;
    item.focus();
  }

  /** The next line in sight in a direction. */
  function neighbour(index: number, step: 1 | -1): number {
    for (let next = index + step; next >= 0 && next < items.length; next += step) if (!items[next]?.hidden) return next;
    return index;
  }

  function parentOf(index: number): number {
    const depth = lines[index]?.depth ?? 0;
    for (let at = index - 1; at >= 0; at--) if ((lines[at]?.depth ?? 0) < depth) return at;
    return index;
  }

  function openLineMenu(index: number, at?: { x: number; y: number }): void {
    const line = lines[index];
    const item = items[index];
    if (!line || !item) return;
    const { path } = line;
    const scalar = line.kind !== 'object' && line.kind !== 'array';
    openMenu(
      item,
      line.label,
      [
        { label: 'Copy value', run: () => events.copy(line.text) },
        ...(path ? [{ label: 'Copy path', run: () => events.copy(`${label}:${path.map(pathKey).join('.')}`) }] : []),
        ...(path && scalar
          ? [
              { label: 'Add condition to the query', separatorBefore: true, run: () => events.edit('filter', line) },
              { label: 'Exclude in the query', run: () => events.edit('exclude', line) },
            ]
          : []),
        ...(path ? [{ label: 'Add as column of the query', run: () => events.edit('addColumn', line) }] : []),
      ],
      at,
    );
  }

  tree.addEventListener('keydown', (event) => {
    const index = items.indexOf(document.activeElement as HTMLDivElement);
    if (index < 0) return;
    switch (event.key) {
      case 'ArrowDown':
        focus(neighbour(index, 1));
        break;
      case 'ArrowUp':
        focus(neighbour(index, -1));
        break;
      case 'ArrowRight':
        if (hasMembers(index) && folded.has(index)) toggle(index, true);
        else focus(neighbour(index, 1));
        break;
      case 'ArrowLeft':
        if (hasMembers(index) && !folded.has(index)) toggle(index, false);
        else focus(parentOf(index));
        break;
      case 'Enter':
      case 'ContextMenu':
        openLineMenu(index);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  paint();
  return tree;
}

/** A key as a path of the language spells it: quoted unless it is a plain name that is not reserved. */
function pathKey(key: string): string {
  const reserved = /^(expr|join|limit|outer|paraminfo|properties|select|sql|type|variant|where)$/i;
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(key) && !reserved.test(key) ? key : JSON.stringify(key);
}
