import { plainText } from '../base/plainText.ts';
import { plainLabel } from './plainLabel.ts';

/** Characters that fit in a row of a Quick Pick, whose width is fixed. */
const WIDTH = 74;
/** Longer warnings are cut: some end with the output of git. */
const MAX_LENGTH = 600;

/** Splits a warning into Quick Pick rows that are not truncated; the first row has an icon. */
export function warningRows(warning: string): { label: string }[] {
  return linesOf(plainText(warning, MAX_LENGTH)).map((line, at) => ({
    label: `$(${at === 0 ? 'warning' : 'blank'}) ${plainLabel(line)}`,
  }));
}

/** Wraps text at spaces; splits a word that is longer than a row. */
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

/** Splits a long word between code points, so that no character is cut in half. */
function piecesOf(word: string): string[] {
  const characters = [...word];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += WIDTH)
    pieces.push(characters.slice(at, at + WIDTH).join(''));
  return pieces;
}
