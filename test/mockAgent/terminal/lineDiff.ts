export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  /** 1-based line number in the new text, or in the old text for a removed line. */
  readonly number: number;
  readonly text: string;
}

/** The differing lines by longest common subsequence, for files of a few hundred lines. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = splitLines(before);
  const next = splitLines(after);
  const common = commonLengths(old, next);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < next.length) {
    const [oldLine, newLine] = [old[i], next[j]];
    if (oldLine !== undefined && oldLine === newLine) {
      lines.push({ kind: 'same', number: j + 1, text: oldLine });
      i++;
      j++;
    } else if (
      oldLine !== undefined &&
      (newLine === undefined || at(common, i + 1, j) >= at(common, i, j + 1))
    ) {
      lines.push({ kind: 'removed', number: i + 1, text: oldLine });
      i++;
    } else if (newLine !== undefined) {
      lines.push({ kind: 'added', number: j + 1, text: newLine });
      j++;
    }
  }
  return lines;
}

/** Groups of changed lines, each with up to `context` unchanged lines around it. */
export function hunks(lines: readonly DiffLine[], context: number): DiffLine[][] {
  const near = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - context), index + context + 1)
      .some((line) => line.kind !== 'same'),
  );
  const groups: DiffLine[][] = [];
  lines.forEach((line, index) => {
    if (!near[index]) return;
    if (!near[index - 1]) groups.push([]);
    groups.at(-1)?.push(line);
  });
  return groups;
}

function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function at(table: readonly number[][], row: number, column: number): number {
  return table[row]?.[column] ?? 0;
}

/** `[i][j]`: length of the longest common subsequence after `i` in `old` and `j` in `next`. */
function commonLengths(old: readonly string[], next: readonly string[]): number[][] {
  const table = Array.from({ length: old.length + 1 }, () =>
    new Array<number>(next.length + 1).fill(0),
  );
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--) {
      const length =
        old[i] === next[j]
          ? at(table, i + 1, j + 1) + 1
          : Math.max(at(table, i + 1, j), at(table, i, j + 1));
      table[i]?.splice(j, 1, length);
    }
  }
  return table;
}
