import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressor, brotliDecompressor } from '../src/platform/node/files/brotli.ts';
import { FileSink } from '../src/platform/node/files/fileSink.ts';
import { FileSource } from '../src/platform/node/files/fileSource.ts';
import { RecordingReader } from '../src/recording/read/reader.ts';
import { repack } from '../src/recording/write/repack.ts';
import { makeKeyframes } from '../test/support/terminal/makeKeyframes.ts';
import { KEYFRAMES_VERSION } from '../src/terminal/keyframes/keyframeFile.ts';
import { KeyframeWriter, recordingFingerprint } from '../src/terminal/keyframes/keyframeStore.ts';
import { longRecording, RECORDED_SIZE } from './longRecording.ts';

export const LONG_BYTES = 100_000_000;

/**
 * A finished, repacked session of 100 MB with keyframes, cached in `.cache/bench`.
 * @returns its recording
 */
export async function longSession(): Promise<string> {
  const recording = await longRecording(LONG_BYTES);
  // Keyframes of another version would be ignored.
  const name = `session-${LONG_BYTES}-keyframes${KEYFRAMES_VERSION}`;
  const folder = path.join(path.dirname(recording), name);
  const file = path.join(folder, 'session.ahr');
  if (await stat(folder).catch(() => undefined)) return file;
  const draft = `${folder}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await packAnew(recording, path.join(draft, 'session.ahr'));
  await writeKeyframes(path.join(draft, 'session.ahr'), path.join(draft, 'session.keyframes'));
  await rename(draft, folder);
  return file;
}

async function packAnew(from: string, to: string): Promise<void> {
  const source = await FileSource.open(from);
  const sink = await FileSink.create(to);
  const [compressor, decompressor] = [brotliCompressor, brotliDecompressor];
  await repack({ source, sink, compressor, decompressor });
  await sink.close();
  await source.close();
}

async function writeKeyframes(recording: string, file: string): Promise<void> {
  const source = await FileSource.open(recording);
  const reader = await RecordingReader.open(source, brotliDecompressor);
  const sink = await FileSink.create(file);
  const { value: first } = await reader.records({ to: 1 }).next();
  const fingerprint = recordingFingerprint(RECORDED_SIZE, first ?? undefined);
  const writer = await KeyframeWriter.create(sink, fingerprint);
  for await (const keyframe of makeKeyframes(reader, RECORDED_SIZE)) await writer.append(keyframe);
  await sink.close();
  await source.close();
}
