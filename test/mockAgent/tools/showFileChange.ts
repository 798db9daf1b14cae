import { diffLines, hunks } from '../terminal/lineDiff.ts';
import type { DiffLine } from '../terminal/lineDiff.ts';
import { styled } from '../terminal/styles.ts';

/** Unchanged lines shown on each side of a change. */
const CONTEXT_LINES = 2;
/** Limits the lines shown of a new file. */
const NEW_FILE_LINES = 10;

/** Formats a changed file: a summary, then the changed lines in colour. */
export function showEdit(file: string, before: string, after: string): string[] {
  const lines = diffLines(before, after);
  const count = (kind: DiffLine['kind']): number =>
    lines.filter((line) => line.kind === kind).length;
  const summary = [
    countOf(count('added'), 'addition'),
    countOf(count('removed'), 'removal'),
  ].filter((part) => part !== '');
  const width = Math.max(...lines.map(({ kind, text }) => (kind === 'same' ? 0 : text.length)));
  const shown = hunks(lines, CONTEXT_LINES).flatMap((hunk, index) => [
    ...(index > 0 ? [styled('dim', '     …')] : []),
    ...hunk.map((line) => showLine(line, width)),
  ]);
  return [`Updated ${styled('bold', file)} with ${summary.join(' and ') || 'no change'}`, ...shown];
}

export function showNewFile(file: string, content: string): string[] {
  const lines = content.replace(/\n$/, '').split('\n');
  const more = lines.length - NEW_FILE_LINES;
  return [
    `Wrote ${countOf(lines.length, 'line')} to ${styled('bold', file)}`,
    ...lines
      .slice(0, NEW_FILE_LINES)
      .map((line, index) => `${styled('dim', number(index + 1))}   ${line}`),
    ...(more > 0 ? [styled('dim', `     … +${countOf(more, 'line')}`)] : []),
  ];
}

/** @param width of the widest changed line, so that their coloured backgrounds end together */
function showLine({ kind, number: at, text }: DiffLine, width: number): string {
  if (kind === 'same') return `${styled('dim', number(at))}   ${text}`;
  const [sign, style] =
    kind === 'added' ? (['+', 'on-c22 c255'] as const) : (['-', 'on-c52 c255'] as const);
  return styled(style, `${number(at)} ${sign} ${text.padEnd(width)} `);
}

function number(at: number): string {
  return String(at).padStart(4);
}

function countOf(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}
