import { NANOSECONDS_PER_MILLISECOND } from '../../base/clock.ts';
import { plain } from '../../base/plainText.ts';
import type { BranchPoint, BranchPointBatches } from './branchPoints.ts';

/** Writes a table: lines as code, snapshots with their label and time. */
export async function* branchPointsMarkdown(
  batches: BranchPointBatches,
): AsyncGenerator<string, void, void> {
  yield '| # | Byte | Output |\n| ---: | ---: | :--- |\n';
  for await (const points of batches) yield points.map(row).join('');
}

function row(point: BranchPoint): string {
  return point.kind === 'line' ? lineRow(point) : snapshotRow(point);
}

function lineRow({ index, lastWriteByte, text }: Extract<BranchPoint, { kind: 'line' }>): string {
  return `| ${index} | ${lastWriteByte} | ${code(text)} |\n`;
}

function snapshotRow({
  id,
  anchorByte,
  label,
  tsNs,
}: Extract<BranchPoint, { kind: 'snapshot' }>): string {
  const time = new Date(Number(tsNs / NANOSECONDS_PER_MILLISECOND)).toISOString();
  const name = label === '' ? '' : `**${escaped(label)}** · `;
  return `| 📌 ${id} | ${anchorByte} | ${name}${time} |\n`;
}

/**
 * Formats text as a code span. Its fence must be longer than any run of backticks in the text, and
 * pipes are escaped because the span is in a table.
 */
function code(text: string): string {
  if (text.trim() === '') return '';
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const padding = text.startsWith('`') || text.endsWith('`') || /^ .* $/.test(text) ? ' ' : '';
  return `${fence}${padding}${escapedPipes(text)}${padding}${fence}`;
}

/**
 * A pipe ends a cell unless an odd number of backslashes precedes it. Doubles the backslashes
 * before a pipe and adds one.
 */
function escapedPipes(text: string): string {
  return text.replace(/(\\*)\|/g, (_, slashes: string) => `${slashes}${slashes}\\|`);
}

function escaped(text: string): string {
  // A label may name a file whose name a terminal would act on.
  return plain(text)
    .replace(/[\\`*_[\]~<>&|]/g, (character) => `\\${character}`)
    .replace(/\s+/g, ' ');
}
