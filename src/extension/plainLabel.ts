import { plainText } from '../base/plainText.ts';

/** As long as a line of a list is wide. */
const MAX_LENGTH = 300;
/** The editor draws an icon in its place, and somebody's command lacks a word. */
const ICON = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g;

/** What came from a recording or an agent, for the lists and bars in which the editor makes icons of `$(name)`. */
export function plainLabel(text: string): string {
  return plainText(text, MAX_LENGTH).replace(ICON, '\\$&');
}

/**
 * The editor makes links of `[words](address)` in a message, commands among the addresses. What an agent calls its tools, or
 * somebody a file, is part of many messages: it must be read, not followed.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
