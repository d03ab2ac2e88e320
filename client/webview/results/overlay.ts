/**
 * Shows a menu or a dialog below `anchor`, or at a point of the page, wholly in sight. A press outside of it dismisses it.
 * @returns what takes it away and gives the focus back to whoever had it
 */
export function openOverlay(
  panel: HTMLElement,
  anchor: HTMLElement,
  dismiss: () => void,
  at?: { readonly x: number; readonly y: number },
): () => void {
  const before = document.activeElement instanceof HTMLElement ? document.activeElement : anchor;
  const outside = (event: PointerEvent): void => {
    if (event.target instanceof Node && !panel.contains(event.target)) dismiss();
  };
  // Inside the page's landmark, so that a screen reader's list of regions leads to it.
  (document.querySelector('main') ?? document.body).append(panel);
  const box = anchor.getBoundingClientRect();
  const left = Math.min(at?.x ?? box.left, window.innerWidth - panel.offsetWidth - margin);
  const top = Math.min(at?.y ?? box.bottom + 2, window.innerHeight - panel.offsetHeight - margin);
  panel.style.left = `${Math.max(margin, left)}px`;
  panel.style.top = `${Math.max(margin, top)}px`;
  document.addEventListener('pointerdown', outside, true);
  return () => {
    panel.remove();
    document.removeEventListener('pointerdown', outside, true);
    before.focus();
  };
}

/** CSS pixels left free around what is shown. */
const margin = 4;
