export interface ElementOptions {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Creates an element. Text is never parsed as HTML, since it can come from a recording. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: ElementOptions = {},
  ...children: readonly Node[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  if (options.class !== undefined) created.className = options.class;
  if (options.text !== undefined) created.textContent = options.text;
  if (options.title !== undefined) created.title = options.title;
  for (const [name, value] of Object.entries(options.attributes ?? {})) {
    created.setAttribute(name, value);
  }
  created.append(...children);
  return created;
}

/** A codicon, hidden from screen readers: its parent has the label. */
export function icon(name: string): HTMLElement {
  return element('span', {
    class: `codicon codicon-${name}`,
    attributes: { 'aria-hidden': 'true' },
  });
}

export interface IconButtonOptions {
  readonly icon: string;
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly class?: string;
  readonly onClick: () => void;
}

export function iconButton(options: IconButtonOptions): HTMLButtonElement {
  const button = element(
    'button',
    {
      class: `icon-button ${options.class ?? ''}`,
      title: options.label,
      attributes: { type: 'button', 'aria-label': options.label },
    },
    icon(options.icon),
  );
  button.addEventListener('click', options.onClick);
  return button;
}
