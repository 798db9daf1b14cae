import { UserError } from '../../../base/errors.ts';
import { findBlockByByteOffset, findBlockByTime } from '../../../recording/read/blockIndex.ts';
import { RecordingReader } from '../../../recording/read/reader.ts';
import type { AhrRecord } from '../../../recording/format/records.ts';
import { brotliDecompressor } from '../../../platform/node/files/brotli.ts';
import { FileSource } from '../../../platform/node/files/fileSource.ts';

/** A place in a recording, as a person says it. */
export type SaidMoment =
  | { readonly kind: 'byte'; readonly byteOffset: number }
  | { readonly kind: 'elapsed'; readonly seconds: number }
  | { readonly kind: 'clock'; readonly tsNs: bigint }
  /** Of something that happened, both are known. */
  | { readonly kind: 'moment'; readonly byteOffset: number; readonly tsNs: bigint };

type SaidInOneMeasure = Exclude<SaidMoment, { kind: 'moment' }>;

/** The same in both measures: so much had been printed, and that was the time. */
export interface MomentPlace {
  readonly byte: number;
  readonly timeNs: bigint;
}

/** @throws UserError when the recording does not have it */
export async function placeOf(recording: string, said: SaidMoment): Promise<MomentPlace> {
  if (said.kind === 'moment') return { byte: said.byteOffset, timeNs: said.tsNs };
  const source = await FileSource.open(recording).catch((error: unknown) => {
    throw new UserError('cannot-open', `${recording} cannot be opened.`, { cause: error });
  });
  try {
    return await find(await RecordingReader.open(source, brotliDecompressor), said);
  } finally {
    await source.close();
  }
}

async function find(reader: RecordingReader, said: SaidInOneMeasure): Promise<MomentPlace> {
  const [first] = reader.blocks;
  if (!first) throw new UserError('empty-recording', 'Nothing has been recorded yet.');
  const timeNs = timeSaid(said, first.startTsNs);
  const index =
    timeNs === undefined
      ? findBlockByByteOffset(reader.blocks, byteSaid(said))
      : findBlockByTime(reader.blocks, timeNs);
  const block = reader.blocks[index];
  if (!block) throw new UserError('before-start', 'The recording began after that time.');
  let place: MomentPlace = { byte: block.startByteOffset, timeNs: block.startTsNs };
  const to = block.firstRecordIndex + block.recordCount;
  for await (const record of reader.records({ from: block.firstRecordIndex, to })) {
    const byte = byteAfter(record, place.byte);
    if (timeNs === undefined ? byte > byteSaid(said) : record.tsNs > timeNs) break;
    place = { byte, timeNs: record.tsNs };
  }
  return {
    // What was said counts; of the other measure, what the recording has for it.
    byte: timeNs === undefined ? byteSaid(said) : place.byte,
    timeNs: timeNs ?? place.timeNs,
  };
}

function timeSaid(said: SaidInOneMeasure, startNs: bigint): bigint | undefined {
  if (said.kind === 'clock') return said.tsNs;
  return said.kind === 'elapsed' ? startNs + BigInt(Math.round(said.seconds * 1e9)) : undefined;
}

function byteSaid(said: SaidInOneMeasure): number {
  return said.kind === 'byte' ? said.byteOffset : 0;
}

function byteAfter(record: AhrRecord, before: number): number {
  return record.kind === 'data' ? record.startByteOffset + record.bytes.length : before;
}
