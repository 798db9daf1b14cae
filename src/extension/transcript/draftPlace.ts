import type { MomentPlace } from '../../branching/common/momentRef.ts';
import { nearestSnapshot } from '../../branching/common/nearestSnapshot.ts';
import type { SessionTranscript, TranscriptSnapshot } from './sessionTranscript.ts';

/** The parts of a transcript that determine where a branch from a draft starts. */
export type DraftedTranscript = Pick<SessionTranscript, 'lines' | 'snapshots' | 'placeOf'>;

/** The snapshot from which a branch after a line starts: the nearest one by byte offset. */
export function snapshotFor(
  transcript: DraftedTranscript,
  index: number,
): TranscriptSnapshot | undefined {
  return nearestSnapshot(transcript.snapshots, transcript.placeOf(index));
}

/**
 * The moment from which a branch after a line starts: that of the line or of its snapshot,
 * whichever is later, so that the agent remembers the changes in the files.
 */
export function branchPlace(transcript: DraftedTranscript, index: number): MomentPlace {
  const line = transcript.placeOf(index);
  const snapshot = snapshotFor(transcript, index) ?? line;
  return {
    byte: Math.max(line.byte, snapshot.byte),
    timeNs: line.timeNs > snapshot.timeNs ? line.timeNs : snapshot.timeNs,
  };
}

/** The last line that a branch keeps; the draft dims the rest. */
export function lastLineKept(transcript: DraftedTranscript, index: number): number {
  const snapshot = snapshotFor(transcript, index);
  if (!snapshot) return index;
  const { snapshotId } = snapshot;
  const line = transcript.lines.findIndex(
    (each) => each.kind === 'snapshot' && each.snapshotId === snapshotId,
  );
  return Math.max(index, line);
}
