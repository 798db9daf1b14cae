import { plainLabel } from './plainLabel.ts';

/** So many characters of a row can be read in a picker, which never is wider. */
const WIDTH = 80;

/** A sentence as rows of a picker, none of which is cut: the first has a sign, and each has a second line where that is needed. */
export function warningRows(warning: string): { label: string; detail?: string }[] {
  const lines = linesOf(warning).map(plainLabel);
  const rows = [];
  for (let at = 0; at < lines.length; at += 2) {
    const label = `$(${at === 0 ? 'warning' : 'blank'}) ${lines[at]!}`;
    const detail = lines[at + 1];
    rows.push({ label, ...(detail !== undefined && { detail }) });
  }
  return rows;
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
