import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ByteWriter } from '../../../src/base/bytes.ts';
import { encodeBlock, HEADER_LENGTH } from '../../../src/recording/format/format.ts';
import type { AhrRecord } from '../../../src/recording/format/records.ts';
import { scanBlocks } from '../../../src/recording/read/scan.ts';
import { decodeSegment, encodeRecord } from '../../../src/recording/format/segment.ts';
import { validateRecording } from '../../../src/recording/read/validator.ts';
import { MemoryFile } from '../../support/recording/memoryFile.ts';
import { plain, readAll } from '../../support/recording/recordings.ts';
import { syncBrotli } from '../../support/recording/syncBrotli.ts';

const readme = readFileSync(new URL('../../../src/recording/README.md', import.meta.url), 'utf8');

function fenced(language: 'hex' | 'json', name: string): string {
  const found = new RegExp(`^\`\`\`${language} ${name}\\n(.*?)^\`\`\`$`, 'ms').exec(readme)?.[1];
  assert.ok(found, `README.md has no ${language} vector "${name}"`);
  return found;
}

function hex(name: string): Buffer {
  return Buffer.from(fenced('hex', name).replace(/\s/g, ''), 'hex');
}

function records(name: string): AhrRecord[] {
  const parsed = JSON.parse(fenced('json', name)) as Record<string, unknown>[];
  return parsed.map(({ tsNs, snapshotId, hex: bytes, ...rest }) => ({
    ...rest,
    tsNs: BigInt(tsNs as string),
    ...(snapshotId !== undefined && { snapshotId: BigInt(snapshotId as string) }),
    ...(bytes !== undefined && { bytes: new Uint8Array(Buffer.from(bytes as string, 'hex')) }),
  })) as unknown as AhrRecord[];
}

function encodeSegment(list: readonly AhrRecord[]): Uint8Array {
  const segment = new ByteWriter();
  for (const record of list) encodeRecord(segment, record);
  return segment.toBytes();
}

describe('vectors of the format', () => {
  it('segment: decodes to its records, and its records encode to it', () => {
    const decoded = decodeSegment(hex('segment'));
    assert.equal(decoded.fault, undefined);
    assert.deepEqual(plain(decoded.records), records('segment'));
    assert.deepEqual(Buffer.from(encodeSegment(records('segment'))), hex('segment'));
  });

  it('file: reads as the records of the segment, and is finished', async () => {
    const file = new MemoryFile(hex('file'));
    assert.deepEqual(await readAll(file), records('segment'));
    const report = await validateRecording(file, syncBrotli);
    assert.deepEqual([report.ok, report.isFinished, report.problems], [true, true, []]);
  });

  it('file: its blocks encode to it, payloads given', async () => {
    const file = hex('file');
    const { blocks } = await scanBlocks(new MemoryFile(file));
    const encoded = blocks.map((block) => {
      const end = block.payloadOffset + block.compressedLength;
      return encodeBlock(block, file.subarray(block.payloadOffset, end));
    });
    assert.deepEqual(Buffer.concat(encoded), file);
  });

  it('reference: 48 bytes of header declared, 44 present', async () => {
    const file = new MemoryFile(hex('reference'));
    assert.equal(hex('reference').readUInt16LE(6), 48);
    assert.equal((await scanBlocks(file)).blocks[0]?.headerLength, HEADER_LENGTH);
    assert.deepEqual(await readAll(file), records('reference'));
    const report = await validateRecording(file, syncBrotli);
    assert.deepEqual([report.ok, report.isFinished, report.dataBytes], [true, true, 13]);
  });
});
