export interface ShellWord {
  readonly text: string;
  /** The position after the word in its line. */
  readonly end: number;
}

/** A word that has only plain characters and quotes without substitutions. */
const WORD = /\s*((?:[\w@%+=:,./~-]|'[^']*'|"[^"$`\\!]*")+)(?=\s|$)/y;

/**
 * Splits a command line as a shell would. Undefined when it has more than words and quotes, such as
 * variables, patterns or several commands: only the shell can evaluate those.
 */
export function splitShellWords(line: string): readonly ShellWord[] | undefined {
  const words: ShellWord[] = [];
  let at = 0;
  while (line.slice(at).trim() !== '') {
    WORD.lastIndex = at;
    const word = WORD.exec(line)?.[1];
    if (word === undefined) return undefined;
    at = WORD.lastIndex;
    words.push({ text: word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'), end: at });
  }
  return words;
}
