import assert from 'node:assert/strict';
import { RedactingWriter } from '../../../../src/host/redaction/redactingWriter.ts';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { Random } from '../../../support/random.ts';

const KEY = 'sk-ant-api03-abcdefghijklmnop0123';
const KNOWN = 'a known välue/with=signs';

/** The bytes that the writer writes when the output arrives in these pieces. */
function written(pieces: readonly Uint8Array[]): Buffer {
  const records: AhrRecord[] = [];
  const writer = new RedactingWriter(
    { append: (record) => records.push(record), onDidWriteBlock: () => undefined },
    [KNOWN],
  );
  let startByteOffset = 0;
  for (const bytes of pieces) {
    writer.append({ kind: 'data', tsNs: 1n, startByteOffset, bytes });
    startByteOffset += bytes.length;
  }
  return Buffer.concat(
    records.map((record) => ('bytes' in record ? record.bytes : [])) as Buffer[],
  );
}

const halves = (bytes: Buffer, at: number) =>
  [bytes.subarray(0, at), bytes.subarray(at)].map((half) => Buffer.from(half));

describe('RedactingWriter', () => {
  it('replaces a secret by stars of the same length', () => {
    const text = `a\u001b[1m ${KEY} b ${KNOWN}. password=hunter2x; c`;
    const stars = (secret: string) => '*'.repeat(Buffer.byteLength(secret));
    assert.equal(
      written([Buffer.from(text)]).toString(),
      `a\u001b[1m ${stars(KEY)} b ${stars(KNOWN)}. password=${stars('hunter2x')}; c`,
    );
    const harmless =
      'task-force, token: next\r\npassword: string\r\n\u001b]0;title\u0007 sk- hf_ x';
    assert.equal(written([Buffer.from(harmless)]).toString(), harmless);
  });

  it('finds secrets wherever they are split', () => {
    for (const secret of [KEY, KNOWN, `password=${KEY.slice(13)}`]) {
      const bytes = Buffer.from(`before ${secret} behind`);
      for (let at = 0; at <= bytes.length; at++) {
        const safe = written(halves(bytes, at));
        assert.equal(safe.length, bytes.length);
        assert.ok(!safe.includes(secret.replace('password=', '')), `cut at ${at}: ${String(safe)}`);
        assert.ok(safe.toString('latin1').startsWith('before '));
        assert.ok(safe.toString('latin1').endsWith(' behind'));
      }
    }
  });

  it('finds secrets in colours, in titles, over two lines, letter by letter and in random pieces', () => {
    const random = new Random(7);
    const coloured = [...KEY].map((letter, index) => `\u001b[3${index % 8}m${letter}`).join('');
    const known = Buffer.from(KNOWN);
    for (const output of [
      Buffer.from(`x ${coloured}\u001b[m y`),
      Buffer.from(`\u001b]2;${KEY}\u001b\\`),
      Buffer.concat([known.subarray(0, 9), Buffer.from('\r\n\u001b[K'), known.subarray(9)]),
      Buffer.from(`-----BEGIN PRIVATE KEY-----\r\n${'abcd'.repeat(16)}\r\n`.repeat(3)),
    ]) {
      const letters = [...output].map((byte) => Buffer.from([byte]));
      const pieces: Buffer[] = [];
      for (let at = 0; at < output.length;) {
        const end = at + 1 + random.below(7);
        pieces.push(Buffer.from(output.subarray(at, end)));
        at = end;
      }
      for (const safe of [written([Buffer.from(output)]), written(letters), written(pieces)]) {
        assert.equal(safe.length, output.length);
        const visible = safe.toString('latin1').replace(/\u001b\[[\d;]*[mK]|[\r\n]/g, '');
        for (const secret of [KEY, known.toString('latin1'), 'abcd']) {
          assert.ok(!visible.includes(secret), visible);
        }
      }
    }
  });

  it('does not change the bytes that clients show', () => {
    const bytes = Buffer.from(`x ${KEY} y`);
    assert.match(written([bytes]).toString(), /^x \*+ y$/);
    assert.equal(bytes.toString(), `x ${KEY} y`);
  });

  it('removes secrets from labels and input', () => {
    const records: AhrRecord[] = [];
    const writer = new RedactingWriter(
      { append: (record) => records.push(record), onDidWriteBlock: () => undefined },
      [],
    );
    writer.append({ kind: 'snapshot', tsNs: 1n, snapshotId: 1n, anchorByte: 0, label: `$ ${KEY}` });
    for (const letter of `${KEY}\r`) {
      writer.append({ kind: 'input', tsNs: 1n, bytes: Buffer.from(letter) });
    }
    const [label, ...typed] = records;
    assert.equal(label?.kind === 'snapshot' && label.label, '$ [redacted]');
    const keys = Buffer.concat(
      typed.map((each) => ('bytes' in each ? each.bytes : [])) as Buffer[],
    );
    assert.match(keys.toString(), /^sk\*+\r$/);
  });
});
