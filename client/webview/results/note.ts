import type { RunView } from '../../protocol/results.ts';
import { element, iconButton, textButton } from './dom.ts';

/** What must be known about the rows, and the ways on. In a low view it has one line, which opens to the whole of it. */
export interface Note {
  readonly element: HTMLElement;
  show(run: RunView): void;
  /** Says what is wrong with what the person asked for, until the next state. */
  warn(text: string): void;
}

export function createNote(act: (action: string) => void): Note {
  const text = element('span', { class: 'note-text' });
  const more = iconButton({ icon: 'more', label: 'Show all of the note', onClick: () => open(!isOpen) });
  const ways = element('span', { class: 'note-ways' });
  const note = element('div', { class: 'note', attributes: { role: 'note' } }, [text, more, ways]);
  note.hidden = true;
  let isOpen = false;
  let shown = '';
  const open = (next: boolean): void => {
    isOpen = next;
    note.classList.toggle('open', isOpen);
    more.setAttribute('aria-expanded', String(isOpen));
  };
  // Told after the layout is made, so that nothing has to be laid out to know it.
  const watcher = new ResizeObserver(() => {
    more.hidden = !isOpen && text.scrollWidth <= text.clientWidth;
  });
  const write = (next: string): void => {
    text.textContent = next;
    text.title = next;
    open(false);
    // Another text in the same box is no change of size.
    watcher.unobserve(text);
    watcher.observe(text);
  };
  return {
    element: note,
    show({ id, note: said, message, actions }) {
      note.hidden = said === undefined;
      const buttons = message === undefined ? actions : [];
      // Made again only when it changes: a focused button stays.
      const look = JSON.stringify([id, said, buttons]);
      if (look === shown) return;
      shown = look;
      write(said ?? '');
      ways.replaceChildren(...buttons.map((way) => textButton(way.title, () => act(way.id))));
    },
    warn(said) {
      note.hidden = false;
      write(said);
      ways.replaceChildren();
      shown = '';
    },
  };
}
