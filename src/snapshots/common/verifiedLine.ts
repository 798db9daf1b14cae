import type { Omission } from './provider.ts';
import type { SnapshotLine } from './snapshotLine.ts';

/** Marks a snapshot that will never be compared with the whole workspace. */
export const NEVER_VERIFIED: Omission = {
  path: '',
  reason: 'unstable',
  detail:
    'The snapshot was never compared with the whole workspace: undetected changes may be missing.',
};

/**
 * Returns the line of a snapshot after verification.
 * @param lacking files that the snapshot lacks or may lack
 */
export function verifiedLine(line: SnapshotLine, lacking: readonly Omission[]): SnapshotLine {
  if (line.files.state !== 'kept') return line;
  const files = { ...line.files, omissions: [...line.files.omissions, ...lacking] };
  delete files.isUnverified;
  return { ...line, files };
}

/** Whether the snapshot still has to be compared with the whole workspace. */
export function isUnverified({ files }: SnapshotLine): boolean {
  return files.state === 'kept' && files.isUnverified === true;
}
