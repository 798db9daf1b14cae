/** The part of an instruction that names a file: an `@` and what follows it, up to the caret. */
export interface FileMention {
  /** Index of the `@`. */
  readonly at: number;
  readonly text: string;
}

/**
 * The mention that the caret is in; an `@` inside of a word, as in an e-mail address, starts none.
 */
export function mentionAt(text: string, caret: number): FileMention | undefined {
  const [, mention] = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, caret)) ?? [];
  return mention === undefined ? undefined : { at: caret - mention.length - 1, text: mention };
}

/**
 * Finds the files that a mention may mean. Files whose names start with it come first; of files
 * that match equally well, those with shorter paths.
 */
export function matchFiles(files: readonly string[], mention: string, limit: number): string[] {
  const wanted = mention.toLowerCase();
  return files
    .map((file) => ({ file, rank: rankOf(file.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank || a.file.length - b.file.length || (a.file < b.file ? -1 : 1))
    .slice(0, limit)
    .map(({ file }) => file);
}

function rankOf(file: string, wanted: string): number {
  const name = file.slice(file.lastIndexOf('/') + 1);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  if (file.includes(wanted)) return 2;
  return hasInOrder(file, wanted) ? 3 : Infinity;
}

/** Whether the text has these characters in this order, as in `srcpool` for `src/pool.ts`. */
function hasInOrder(text: string, characters: string): boolean {
  let at = 0;
  for (const character of characters) {
    at = text.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
