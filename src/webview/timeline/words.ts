import { parseWords, speak } from '../../base/words.ts';

export { t } from '../../base/words.ts';

interface Page {
  readonly document?: {
    readonly documentElement: { readonly lang: string };
    readonly body: { readonly dataset: Readonly<Record<string, string | undefined>> };
  };
}

const { document } = globalThis as Page;

// Before any other module of the page says a word: all of them get theirs from here.
speak(parseWords(JSON.parse(document?.body.dataset['words'] ?? '{}')));

/** Of the editor, which may be another than the browser's. */
export const language = document?.documentElement.lang || undefined;
