import assert from 'node:assert/strict';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { readRecording } from '../ah.ts';

/** Checks that the recording, the list and the provider agree. */
export async function assertAgreement(recording: string, files: SessionFiles): Promise<void> {
  const { records } = await readRecording(recording);
  const recorded = records.flatMap((record) => (record.kind === 'snapshot' ? [record] : []));
  assert.deepEqual(
    files.snapshots.map(({ id, tsNs, label, anchorByte }) => ({ id, tsNs, label, anchorByte })),
    recorded.map(({ snapshotId, tsNs, label, anchorByte }) => ({
      id: snapshotId,
      tsNs,
      label,
      anchorByte,
    })),
  );
  const refs = await (await files.provider()).list();
  for (const { id, files: kept } of files.snapshots) {
    assert.notEqual(kept.state, 'pending', `snapshot ${id}`);
    if (kept.state === 'kept') assert.ok(refs.includes(kept.ref), `${kept.ref} is there`);
  }
}
