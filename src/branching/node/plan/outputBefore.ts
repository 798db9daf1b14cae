import { stripVTControlCharacters } from 'node:util';
import { findBlockByByteOffset } from '../../../recording/read/blockIndex.ts';
import { RecordingReader } from '../../../recording/read/reader.ts';
import { FileSource } from '../../../platform/node/files/fileSource.ts';
import { brotliDecompressor } from '../../../platform/node/files/brotli.ts';

/** The text is meant for a model, which reads longer texts less carefully. */
const MAX_BYTES = 48_000;
/** Raw output may be this much longer than its text: most of it is escape sequences. */
const MAX_RAW_BYTES = 8 * MAX_BYTES;

/** The last text that a session printed before a byte offset; empty without a recording. */
export async function outputBefore(recording: string, byte: number): Promise<string> {
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
  // `byte` may be behind the end. The length of the last block is an upper limit for its output.
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

/**
 * Removes escape sequences and control characters. If a line was overwritten, keeps its last text.
 */
function textOf(raw: Buffer): string {
  const lines = stripVTControlCharacters(raw.toString()).replace(/\r+\n/g, '\n').split('\n');
  const last = (line: string): string => line.replace(/\r+$/, '').replace(/^.*\r/s, '');
  return lines
    .map((line) => last(line).replace(/[^\P{Cc}\t]/gu, ''))
    .join('\n')
    .trim();
}

/** The last lines of a text, as many as fit in `MAX_BYTES`. */
function lastOf(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BYTES) return text;
  const end = bytes.subarray(-MAX_BYTES).toString();
  return end.slice(end.indexOf('\n') + 1);
}
