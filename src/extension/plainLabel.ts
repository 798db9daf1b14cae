import { plainText } from '../base/plainText.ts';

/** About the width of a list. */
const MAX_LENGTH = 300;
/** VS Code would draw an icon instead of the text. */
const ICON = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g;

/** Makes text from a recording or an agent safe for labels, in which `$(name)` is an icon. */
export function plainLabel(text: string): string {
  return plainText(text, MAX_LENGTH).replace(ICON, '\\$&');
}

/**
 * Breaks Markdown links: VS Code renders them in notifications, even as commands, and messages may
 * contain names from agents.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
