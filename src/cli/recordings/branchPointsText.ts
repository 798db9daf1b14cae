import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PauseFinder, type Pause } from '../../recording/read/pauses.ts';
import { secretsIn } from '../../redaction/redact.ts';
import { RedactedLines } from '../../redaction/redactedLines.ts';
import {
  branchPoints,
  snapshotMoment,
  type BranchPointBatches,
  type SnapshotMoment,
} from '../../terminal/branchPoints/branchPoints.ts';
import { branchPointsCsv } from '../../terminal/branchPoints/branchPointsCsv.ts';
import { branchPointsJson } from '../../terminal/branchPoints/branchPointsJson.ts';
import { branchPointsMarkdown } from '../../terminal/branchPoints/branchPointsMarkdown.ts';
import { withTexts } from '../../terminal/branchPoints/changedPoints.ts';
import { finalLines } from '../../terminal/lines/finalLines.ts';
import { lastPauseLine } from './recordedPauses.ts';
import { withRecording, type OpenedRecording } from './withRecording.ts';
import { withProgress } from '../progress.ts';
import { recordedSize } from './recordedSize.ts';

const FORMATS = { md: branchPointsMarkdown, json: branchPointsJson, csv: branchPointsCsv };

export type BranchPointsFormat = keyof typeof FORMATS;
export const BRANCH_POINTS_FORMATS = Object.keys(FORMATS) as BranchPointsFormat[];

/** Yields the final lines and the snapshots of a recording as text. */
export async function* branchPointsText(
  recording: OpenedRecording,
  format: BranchPointsFormat,
  isRedacted = false,
): AsyncGenerator<string, void, void> {
  const snapshots: SnapshotMoment[] = [];
  const pauses = new PauseFinder();
  let pause: Pause | undefined;
  for await (const record of recording.reader.records()) {
    pause = pauses.after(record) ?? pause;
    if (record.kind === 'snapshot') snapshots.push(snapshotMoment(record));
  }
  const source = withProgress(recording.reader, 'Reading');
  const size = await recordedSize(recording);
  const { unicodeVersion } = recording;
  const lines = finalLines({ source, size, unicodeVersion });
  const points = branchPoints(lines, snapshots, lastPauseLine(pause));
  yield* FORMATS[format](isRedacted ? redacted(points) : points);
}

/** Redacts lines apart from labels: a secret can span several lines, but not a line and a label. */
function redacted(points: BranchPointBatches): BranchPointBatches {
  const known = secretsIn(process.env);
  const lines = new RedactedLines(known);
  const labels = new RedactedLines(known);
  return withTexts(points, {
    line: (text) => lines.next(text),
    label: (text) => labels.next(text),
  });
}

/** Writes the branch points of a recording to a file, as JSON. */
export async function writeBranchPoints(recordingFile: string, target: string): Promise<void> {
  await withRecording(recordingFile, (recording) =>
    pipeline(
      Readable.from(branchPointsText(recording, 'json')),
      createWriteStream(target, { mode: 0o600 }),
    ),
  );
}
