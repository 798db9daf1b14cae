import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AhrRecord } from '../../../src/recording/format/records.ts';
import {
  encodeSnapshotLine,
  type KeptFiles,
  type SnapshotFiles,
} from '../../../src/snapshots/common/snapshotLine.ts';

export const KEPT_FILES: KeptFiles = {
  state: 'kept',
  provider: 'git',
  ref: 'snapshot',
  stats: {},
  omissions: [],
};

/**
 * Writes `session.snapshots.jsonl` for every snapshot in the recording.
 * @param files of each; by default stored
 */
export function writeSnapshotLines(
  folder: string,
  records: readonly AhrRecord[],
  files: SnapshotFiles = KEPT_FILES,
): void {
  const lines = records.flatMap((record) => {
    if (record.kind !== 'snapshot') return [];
    const { snapshotId, tsNs, label, anchorByte } = record;
    const line = { id: snapshotId, tsNs, label, anchorByte, kind: 'auto' as const };
    const own = files.state === 'kept' ? { ...files, ref: `snapshot-${snapshotId}` } : files;
    return [`${encodeSnapshotLine({ ...line, trigger: 'tool', files: own })}\n`];
  });
  if (lines.length > 0) writeFileSync(path.join(folder, 'session.snapshots.jsonl'), lines.join(''));
}
