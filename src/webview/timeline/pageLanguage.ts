import * as l10n from '@vscode/l10n';
import { parseTextBundle } from '../../base/textBundle.ts';

interface Page {
  readonly document?: {
    readonly documentElement: { readonly lang: string };
    readonly body: { readonly dataset: Readonly<Record<string, string | undefined>> };
  };
}

const { document } = globalThis as Page;

// The page imports this module first: other modules translate their texts while they load.
l10n.config({ contents: parseTextBundle(JSON.parse(document?.body.dataset['texts'] ?? '{}')) });

/** The editor's language, which may differ from the browser's. */
export const language = document?.documentElement.lang || undefined;
