/**
 * Control characters, ends of lines, and what is not seen itself but turns the direction of text around or hides between
 * letters; but for the two that join letters and emoji, or keep them from joining.
 */
const UNSEEN = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/gu;

/** In one line, what can be seen of a text that may come from anywhere. */
export function plain(text: string): string {
  return text.replace(UNSEEN, ' ').trim();
}

/** The same, cut where it is too long. */
export function plainText(text: string, maxLength: number): string {
  // More than is kept, for what cannot be seen goes; and not all of it, for it may be megabytes.
  const line = plain(text.slice(0, 4 * maxLength));
  // Half a character at the cut would be shown as damage.
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Characters that say how others are read: of a command that somebody is to allow, all have to be seen. */
const DECEIVING = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text of many lines with nothing unseen in it: what would be is named instead, as `⟨U+202E⟩`. */
export function seenText(text: string): string {
  return text.replace(DECEIVING, (character) => {
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}
