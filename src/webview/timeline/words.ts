interface Page {
  readonly document?: {
    readonly body: { readonly dataset: Readonly<Record<string, string | undefined>> };
  };
}

/** What the editor put into the page: its words in the reader's language, by the English ones; none for English. */
const WORDS = parseWords((globalThis as Page).document?.body.dataset['words']);

/** A text in the reader's language. @param values for `{0}`, `{1}` … */
export function t(text: string, ...values: readonly (string | number)[]): string {
  const template = WORDS[text] ?? text;
  return template.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}

function parseWords(json: string | undefined): Readonly<Record<string, string>> {
  if (!json) return {};
  const entries = Object.entries(JSON.parse(json) as Record<string, unknown>);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
