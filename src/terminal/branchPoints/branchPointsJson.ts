import { stringifyExactJson } from '../../base/exactJson.ts';
import type { BranchPoint, BranchPointBatches } from './branchPoints.ts';

/**
 * Writes one object with one item per line. IDs and times are plain numbers, which may exceed 2^53.
 */
export async function* branchPointsJson(
  batches: BranchPointBatches,
): AsyncGenerator<string, void, void> {
  yield '{"items":[';
  let separator = '\n';
  for (;;) {
    const result = await batches.next();
    if (result.done === true) {
      yield `\n],"total_bytes":${result.value.totalBytes}}\n`;
      return;
    }
    if (result.value.length === 0) continue;
    yield separator + result.value.map(item).join(',\n');
    separator = ',\n';
  }
}

function item(point: BranchPoint): string {
  if (point.kind === 'line') {
    const { index, lastWriteByte, text } = point;
    // Built by hand for speed, because a recording has many lines.
    return `{"kind":"line","index":${index},"last_write_byte":${lastWriteByte},"text":${JSON.stringify(text)}}`;
  }
  const { id, anchorByte, label, tsNs } = point;
  return stringifyExactJson({ kind: 'snapshot', id, anchor_byte: anchorByte, label, ts_ns: tsNs });
}
