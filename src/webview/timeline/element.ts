export interface ElementOptions {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** An element with its children. Text is only ever set as text: nothing that was recorded becomes markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: ElementOptions = {},
  ...children: readonly Node[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (options.class !== undefined) made.className = options.class;
  if (options.text !== undefined) made.textContent = options.text;
  if (options.title !== undefined) made.title = options.title;
  for (const [name, value] of Object.entries(options.attributes ?? {})) {
    made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** One of the editor's icons; what it means is said by whatever it is in. */
export function icon(name: string): HTMLElement {
  return element('span', {
    class: `codicon codicon-${name}`,
    attributes: { 'aria-hidden': 'true' },
  });
}

export interface IconButtonOptions {
  readonly icon: string;
  /** Said by screen readers, and shown when the pointer rests on it. */
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
