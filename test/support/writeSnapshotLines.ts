import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AhrRecord } from '../../src/recording/format/records.ts';
import { encodeSnapshotLine } from '../../src/snapshots/common/snapshotLine.ts';

/** Writes `session.snapshots.jsonl` as if the files of every snapshot in the recording were stored. */
export function writeSnapshotLines(folder: string, records: readonly AhrRecord[]): void {
  const lines = records.flatMap((record) => {
    if (record.kind !== 'snapshot') return [];
    const { snapshotId, tsNs, label, anchorByte } = record;
    const files = {
      state: 'kept' as const,
      provider: 'git' as const,
      ref: `snapshot-${snapshotId}`,
      stats: {},
      omissions: [],
    };
    const line = { id: snapshotId, tsNs, label, anchorByte, kind: 'auto' as const };
    return [`${encodeSnapshotLine({ ...line, trigger: 'tool', files })}\n`];
  });
  if (lines.length > 0) writeFileSync(path.join(folder, 'session.snapshots.jsonl'), lines.join(''));
}
