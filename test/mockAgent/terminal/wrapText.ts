import { visibleLength } from './styles.ts';

/** Breaks markup at spaces into lines of at most `columns`; longer words stay whole. */
export function wrapText(markup: string, columns: number): string[] {
  return markup.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = /^ */.exec(paragraph)?.[0] ?? '';
    let isEmpty = true;
    for (const word of paragraph.trim().split(/ +/)) {
      if (!isEmpty && visibleLength(line) + 1 + visibleLength(word) > columns) {
        lines.push(line);
        line = word;
      } else {
        line += isEmpty ? word : ` ${word}`;
      }
      isEmpty = false;
    }
    return [...lines, line];
  });
}
