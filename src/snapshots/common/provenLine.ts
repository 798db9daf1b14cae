import type { Omission } from './provider.ts';
import type { SnapshotLine } from './snapshotLine.ts';

/** Says of a snapshot that nobody will compare it with all files any more. */
export const NEVER_PROVEN: Omission = {
  path: '',
  reason: 'unstable',
  detail:
    'The snapshot was never compared with all files: a change that nobody noticed may be missing.',
};

/** What is said of a snapshot from now on. @param lacking what it turned out to lack, or may lack */
export function provenLine(line: SnapshotLine, lacking: readonly Omission[]): SnapshotLine {
  if (line.files.state !== 'kept') return line;
  const files = { ...line.files, omissions: [...line.files.omissions, ...lacking] };
  delete files.isUnproven;
  return { ...line, files };
}

/** Whether that is still to be said. */
export function isUnproven({ files }: SnapshotLine): boolean {
  return files.state === 'kept' && files.isUnproven === true;
}
