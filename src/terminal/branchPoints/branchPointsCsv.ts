import type { BranchPoint, BranchPointBatches } from './branchPoints.ts';

/** As RFC 4180 has it, but for plain line feeds. `id` is the index of a line or the identifier of a snapshot. */
export async function* branchPointsCsv(
  batches: BranchPointBatches,
): AsyncGenerator<string, void, void> {
  yield 'kind,id,position,ts_ns,text\n';
  for await (const points of batches) yield points.map(row).join('');
}

function row(point: BranchPoint): string {
  return point.kind === 'line'
    ? `line,${point.index},${point.lastWriteByte},,${quoted(point.text)}\n`
    : `snapshot,${point.id},${point.anchorByte},${point.tsNs},${quoted(point.label)}\n`;
}

/** Spaces at either end are quoted too: some readers trim what is not. */
function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
