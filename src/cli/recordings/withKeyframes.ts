import { existsSync } from 'node:fs';
import path from 'node:path';
import { FileSource } from '../../platform/node/files/fileSource.ts';
import {
  KeyframeIndex,
  recordingFingerprint,
  type KeyframeLookup,
} from '../../terminal/keyframes/keyframeStore.ts';
import type { OpenedRecording } from './withRecording.ts';
import { firstRecord, recordedSize } from './recordedSize.ts';

/**
 * Opens the keyframes of a session and closes them after `task`. Without keyframes, seeking plays
 * the recording from its start.
 */
export async function withKeyframes<T>(
  recording: OpenedRecording,
  task: (keyframes: KeyframeLookup | undefined) => Promise<T>,
): Promise<T> {
  const file = recording.session && path.join(recording.session.folder, 'session.keyframes');
  if (!file || !existsSync(file)) return task(undefined);
  const size = await recordedSize(recording);
  const first = await firstRecord(recording.reader);
  const fingerprint = recordingFingerprint(size, first, recording.unicodeVersion);
  const source = await FileSource.open(file);
  try {
    return await task(await KeyframeIndex.open(source, fingerprint));
  } finally {
    await source.close();
  }
}
