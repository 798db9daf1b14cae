import { stripVTControlCharacters } from 'node:util';
import { findBlockByByteOffset } from '../../../recording/read/blockIndex.ts';
import { RecordingReader } from '../../../recording/read/reader.ts';
import { FileSource } from '../../../platform/node/files/fileSource.ts';
import { brotliDecompressor } from '../../../platform/node/files/brotli.ts';

/** What a program is told again is read by a model: more of it is not read with care. */
const MAX_BYTES = 48_000;
/** Colours and moves of the cursor take their share. */
const MAX_RAW_BYTES = 8 * MAX_BYTES;

/** The text that a session printed before a byte of its output, the last of it. Nothing when there is no recording. */
export async function printedBefore(recording: string, byte: number): Promise<string> {
  const source = await FileSource.open(recording).catch(() => undefined);
  if (!source) return '';
  try {
    const reader = await RecordingReader.open(source, brotliDecompressor);
    return lastOf(textOf(await rawBefore(reader, byte)));
  } finally {
    await source.close();
  }
}

async function rawBefore(reader: RecordingReader, byte: number): Promise<Buffer> {
  // No block holds more output than its length; what was said may lie behind the end.
  const last = reader.blocks.at(-1);
  const end = Math.min(byte, last ? last.startByteOffset + last.uncompressedLength : 0);
  const first = Math.max(0, end - MAX_RAW_BYTES);
  const block = reader.blocks[Math.max(0, findBlockByByteOffset(reader.blocks, first))];
  if (!block) return Buffer.alloc(0);
  const pieces: Uint8Array[] = [];
  for await (const record of reader.records({ from: block.firstRecordIndex })) {
    if (record.kind !== 'data') continue;
    const at = record.startByteOffset;
    if (at >= byte) break;
    pieces.push(record.bytes.subarray(0, byte - at));
  }
  return Buffer.concat(pieces).subarray(-MAX_RAW_BYTES);
}

/** Without what steers a terminal; of a line that was written over, the last. */
function textOf(raw: Buffer): string {
  const lines = stripVTControlCharacters(raw.toString()).replace(/\r+\n/g, '\n').split('\n');
  const last = (line: string): string => line.replace(/\r+$/, '').replace(/^.*\r/s, '');
  return lines
    .map((line) => last(line).replace(/[^\P{Cc}\t]/gu, ''))
    .join('\n')
    .trim();
}

/** Whole lines, as many as fit. */
function lastOf(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BYTES) return text;
  const end = bytes.subarray(-MAX_BYTES).toString();
  return end.slice(end.indexOf('\n') + 1);
}
