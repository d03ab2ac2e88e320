/** Attributes and properties of a new element. Text is always text: nothing here can make markup of it. */
export interface ElementOptions {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  readonly attributes?: { readonly [name: string]: string };
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  options: ElementOptions = {},
  children: readonly Node[] = [],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (options.class !== undefined) made.className = options.class;
  if (options.text !== undefined) made.textContent = options.text;
  if (options.title !== undefined) made.title = options.title;
  for (const [attribute, value] of Object.entries(options.attributes ?? {})) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** Writes a text where another one stands: the same text again would be laid out again. */
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

export interface ButtonOptions {
  readonly icon: IconName;
  /** The accessible name and tooltip. */
  readonly label: string;
  readonly onClick: (event: MouseEvent) => void;
}

export function iconButton({ icon, label, onClick }: ButtonOptions): HTMLButtonElement {
  const button = element('button', {
    class: 'icon-button',
    title: label,
    attributes: { type: 'button', 'aria-label': label },
  });
  button.append(iconOf(icon));
  button.addEventListener('click', onClick);
  return button;
}

export function textButton(label: string, onClick: () => void, primary = false): HTMLButtonElement {
  const button = element('button', {
    class: primary ? 'text-button primary' : 'text-button',
    text: label,
    attributes: { type: 'button' },
  });
  button.addEventListener('click', onClick);
  return button;
}

/** Outlines on a 16 × 16 field, drawn with the text's colour. */
const icons = {
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  pin: 'M6 2.5h4l-.5 4 2 2.5h-7l2-2.5zM8 9v4.5',
  stop: 'M4 4h8v8H4z',
  rerun: 'M12.5 8a4.5 4.5 0 1 1-1.4-3.3M11.5 2v3h-3',
  filter: 'M2.5 3.5h11L9.5 8.5v4l-3 1v-5z',
  clear: 'M1.5 3h10L8 7.5v4.2l-3 1V7.5zM10.5 10l4 4M14.5 10l-4 4',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  export: 'M8 2.5v7M5 6.5l3 3 3-3M3 11.5v2h10v-2',
  columns: 'M2.5 3.5h11v9h-11zM6.2 3.5v9M9.8 3.5v9',
  wrap: 'M2.5 4h11M2.5 8h8.5a2 2 0 0 1 0 4H8M9.5 10.2L7.7 12l1.8 1.8M2.5 12h3',
  beside: 'M2.5 3h11v10h-11zM8 3v10',
  more: 'M4 6.5l4 4 4-4',
  up: 'M8 12.5v-9M4.5 7L8 3.5 11.5 7',
  down: 'M8 3.5v9M4.5 9L8 12.5 11.5 9',
  panel: 'M2.5 3h11v10h-11zM9.5 3v10',
  check: 'M3.5 8.5l3 3 6-7',
  error: 'M8 2.5a5.5 5.5 0 1 0 .01 0zM6 6l4 4M10 6l-4 4',
  chart: 'M3.5 13v-4M6.5 13V4M9.5 13V7M12.5 13v-2.5',
} as const;

export type IconName = keyof typeof icons;

export function iconOf(name: IconName): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  for (const [attribute, value] of [
    ['viewBox', '0 0 16 16'],
    ['width', '16'],
    ['height', '16'],
    ['aria-hidden', 'true'],
    ['class', 'icon'],
  ] as const) {
    svg.setAttribute(attribute, value);
  }
  const path = document.createElementNS(namespace, 'path');
  path.setAttribute('d', icons[name]);
  svg.append(path);
  return svg;
}
