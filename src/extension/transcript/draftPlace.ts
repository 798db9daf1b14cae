import { nearestSnapshot, type SessionPlace } from '../../timeline/common/nearestSnapshot.ts';
import type { SessionTranscript, TranscriptSnapshot } from './sessionTranscript.ts';

/** What of a transcript says where a draft begins. */
export type DraftedTranscript = Pick<SessionTranscript, 'lines' | 'snapshots' | 'placeOf'>;

/** The snapshot that a branch after a line starts from: the nearest by output. */
export function snapshotFor(
  transcript: DraftedTranscript,
  index: number,
): TranscriptSnapshot | undefined {
  return nearestSnapshot(transcript.snapshots, transcript.placeOf(index));
}

/** Where it begins: there, or at the snapshot if that is later, so that the agent remembers what its files already show. */
export function branchPlace(transcript: DraftedTranscript, index: number): SessionPlace {
  const line = transcript.placeOf(index);
  const snapshot = snapshotFor(transcript, index) ?? line;
  return {
    byteOffset: Math.max(line.byteOffset, snapshot.byteOffset),
    tsNs: line.tsNs > snapshot.tsNs ? line.tsNs : snapshot.tsNs,
  };
}

/** What comes after this line will not have happened. */
export function lastLineKept(transcript: DraftedTranscript, index: number): number {
  const snapshot = snapshotFor(transcript, index);
  if (!snapshot) return index;
  const { snapshotId } = snapshot;
  const line = transcript.lines.findIndex(
    (each) => each.kind === 'snapshot' && each.snapshotId === snapshotId,
  );
  return Math.max(index, line);
}
