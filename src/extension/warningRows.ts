import { plainText } from '../base/plainText.ts';
import { plainLabel } from './plainLabel.ts';

/** So many characters of a row can be read in a picker, which never is wider. */
const WIDTH = 74;
/** Some end with what git has to say, which may be much. */
const MAX_LENGTH = 600;

/** A sentence as rows of a picker, none of which is cut: the first has a sign, and the others go on below its words. */
export function warningRows(warning: string): { label: string }[] {
  return linesOf(plainText(warning, MAX_LENGTH)).map((line, at) => ({
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

/** Not in the middle of a character. */
function piecesOf(word: string): string[] {
  const characters = [...word];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += WIDTH)
    pieces.push(characters.slice(at, at + WIDTH).join(''));
  return pieces;
}
