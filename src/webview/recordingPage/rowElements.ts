import type { PageItem, PageRun } from '../../timeline/common/protocol/recordingPageProtocol.ts';
import { STYLE } from '../../timeline/common/styledRuns.ts';
import { brightened, fixedColor, isThemeColor } from '../cellColors.ts';

/** Creates the element of a line or a moment. Text of a recording is never parsed as HTML. */
export function rowElement(item: PageItem, position: number, count: number): HTMLElement {
  const row = document.createElement('div');
  row.className = 'row';
  row.setAttribute('role', 'listitem');
  row.ariaPosInSet = `${position + 1}`;
  row.ariaSetSize = `${count}`;
  if ('runs' in item) {
    const text = part('text', '');
    text.append(...item.runs.map(runNode));
    row.append(part('number', `${item.number}`), text);
  } else {
    row.classList.add('moment');
    row.append(part('label', item.label), part('time', item.time));
  }
  return row;
}

function part(className: string, text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  if (className === 'number') element.ariaHidden = 'true';
  return element;
}

function runNode([text, foreground, background, style]: PageRun): Node {
  if (style === 0 && foreground < 0 && background < 0) return document.createTextNode(text);
  const span = document.createElement('span');
  span.textContent = text;
  for (const [name, bit] of Object.entries(STYLE)) if (style & bit) span.classList.add(name);
  const ink = style & STYLE.bold ? brightened(foreground) : foreground;
  const isInverse = (style & STYLE.inverse) !== 0;
  setColor(span, 'color', isInverse ? background : ink);
  setColor(span, 'backgroundColor', isInverse ? ink : background);
  return span;
}

/**
 * Sets colors of the theme by class and other colors through the `style` property: scripts may do
 * that even where the page's content security policy forbids style attributes.
 */
function setColor(span: HTMLElement, side: 'color' | 'backgroundColor', color: number): void {
  const prefix = side === 'color' ? 'ink' : 'paper';
  if (isThemeColor(color)) span.classList.add(`${prefix}-${color}`);
  else span.style[side] = fixedColor(color) ?? '';
}
