/**
 * Control characters, line breaks, and invisible characters such as those that change the text
 * direction. Excludes U+200C and U+200D, which keep letters apart or join letters and emoji.
 */
const UNSEEN = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/gu;

/** Terminal escape sequences, such as colors, in the output of a tool. */
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g;

/** Removes colors and other escape sequences from a terminal's output. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, '');
}

/** Makes one line of an untrusted text, with only its visible characters. */
export function plain(text: string): string {
  return withoutEscapes(text).replace(UNSEEN, ' ').trim();
}

/** Like {@link plain}, cut with an ellipsis if it is too long. */
export function plainText(text: string, maxLength: number): string {
  // The text may be megabytes long; four times the length leaves room for invisible characters.
  const line = plain(text.slice(0, 4 * maxLength));
  // Half of a surrogate pair would be shown as a replacement character.
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Characters that hide or reorder others: the user must see all of a command before allowing it.
 */
const DECEIVING = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Replaces invisible characters by their names, such as `⟨U+202E⟩`; keeps lines and tabs. */
export function seenText(text: string): string {
  return text.replace(DECEIVING, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}
