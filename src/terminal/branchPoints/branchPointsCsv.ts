import type { BranchPoint, BranchPointBatches } from './branchPoints.ts';

/**
 * Writes RFC 4180 CSV with plain line feeds. `id` is the index of a line or the ID of a snapshot.
 */
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

/** Also quotes texts with outer spaces, which some readers would trim. */
function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
