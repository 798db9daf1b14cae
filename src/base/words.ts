/** The words of a language, by the English ones. */
export type Words = Readonly<Record<string, string>>;

let words: Words = {};

/** From now on this thread or page speaks so; without words it speaks English. */
export function speak(language: Words): void {
  words = language;
}

/** A text in the reader's language. @param values for `{0}`, `{1}` … */
export function t(text: string, ...values: readonly (string | number)[]): string {
  const template = Object.hasOwn(words, text) ? words[text]! : text;
  return template.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}

/** What of a value are words: pairs of texts. */
export function parseWords(value: unknown): Words {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
