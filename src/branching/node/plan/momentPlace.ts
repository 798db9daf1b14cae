import { UserError } from '../../../base/errors.ts';
import { brotliDecompressor } from '../../../platform/node/files/brotli.ts';
import { FileSource } from '../../../platform/node/files/fileSource.ts';
import type { BlockInfo } from '../../../recording/format/blockInfo.ts';
import type { AhrRecord } from '../../../recording/format/records.ts';
import { findBlockByByteOffset, findBlockByTime } from '../../../recording/read/blockIndex.ts';
import { RecordingReader } from '../../../recording/read/reader.ts';
import type { MomentPlace, PlaceRef } from '../../common/momentRef.ts';

/**
 * Finds the time of a byte offset, or the byte offset of a time.
 * @throws UserError when the recording can't be read, is empty, or began after that time
 */
export function placeOf(recording: string, ref: PlaceRef): Promise<MomentPlace> {
  const { byte, timeNs } = ref;
  if (byte !== undefined && timeNs !== undefined) return Promise.resolve({ byte, timeNs });
  return withReader(recording, (reader) => find(reader, ref));
}

/** Nanoseconds since the epoch at which a recording begins. */
export function startOfRecording(recording: string): Promise<bigint> {
  return withReader(recording, (reader) => Promise.resolve(firstBlock(reader).startTsNs));
}

async function withReader<T>(
  recording: string,
  read: (reader: RecordingReader) => Promise<T>,
): Promise<T> {
  const source = await FileSource.open(recording).catch((error: unknown) => {
    throw new UserError('cannot-open', `Can't open the recording ${recording}.`, { cause: error });
  });
  try {
    return await read(await RecordingReader.open(source, brotliDecompressor));
  } finally {
    await source.close();
  }
}

async function find(reader: RecordingReader, ref: PlaceRef): Promise<MomentPlace> {
  firstBlock(reader);
  const index =
    ref.timeNs === undefined
      ? findBlockByByteOffset(reader.blocks, ref.byte)
      : findBlockByTime(reader.blocks, ref.timeNs);
  const block = reader.blocks[index];
  if (!block) throw new UserError('before-start', 'The recording began after that time.');
  let place: MomentPlace = { byte: block.startByteOffset, timeNs: block.startTsNs };
  const to = block.firstRecordIndex + block.recordCount;
  for await (const record of reader.records({ from: block.firstRecordIndex, to })) {
    const byte = byteAfter(record, place.byte);
    if (ref.timeNs === undefined ? byte > ref.byte : record.tsNs > ref.timeNs) break;
    place = { byte, timeNs: record.tsNs };
  }
  // Keep the given byte offset or time, which is exact; only the other one comes from the
  // recording.
  return { ...place, ...ref };
}

function firstBlock({ blocks: [first] }: RecordingReader): BlockInfo {
  if (!first) throw new UserError('empty-recording', 'Nothing has been recorded yet.');
  return first;
}

function byteAfter(record: AhrRecord, before: number): number {
  return record.kind === 'data' ? record.startByteOffset + record.bytes.length : before;
}
