import { plainLabel } from './plainLabel.ts';

/** So many characters of a row can be read in a picker, which never is wider. */
const WIDTH = 74;

/** A sentence as rows of a picker, none of which is cut: the first has a sign, and the others go on below its words. */
export function warningRows(warning: string): { label: string }[] {
  return linesOf(warning).map((line, at) => ({
    label: `$(${at === 0 ? 'warning' : 'blank'}) ${plainLabel(line)}`,
  }));
}

/** Broken between words; a path that is longer than a line, wherever the line ends. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).flatMap(piecesOf)) {
    if (line !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

function piecesOf(word: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < word.length; at += WIDTH) pieces.push(word.slice(at, at + WIDTH));
  return pieces;
}
