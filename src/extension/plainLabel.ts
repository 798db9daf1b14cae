import { plainText } from '../base/plainText.ts';

/** Longer text would not fit in the width of a list. */
const MAX_LENGTH = 300;
/** Text that VS Code would draw as an icon. */
const ICON = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g;

/**
 * Makes text from a recording or an agent safe for labels: shortens it and escapes `$(name)`, which
 * would be drawn as an icon.
 */
export function plainLabel(text: string): string {
  return plainText(text, MAX_LENGTH).replace(ICON, '\\$&');
}

/**
 * Replaces `<`, `>` and `&` in the label of a comment thread by similar characters. VS Code escapes
 * these three and shows the result as plain text, so a `>` would read `&gt;`.
 */
export function threadLabel(text: string): string {
  return text.replaceAll('<', '＜').replaceAll('>', '＞').replaceAll('&', '＆');
}

/**
 * Breaks Markdown links. VS Code renders links in notifications, even links that run commands, and
 * messages may contain names that agents chose.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
