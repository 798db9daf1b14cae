import type { AhrRecord } from '../../../../src/recording/format/records.ts';

const START_NS = 1_760_000_000_000_000_000n;

/** A line in each text style, and a moment after the first line. */
export function colorfulRecords(): AhrRecord[] {
  const first = Buffer.from('first\r\n');
  const rest = Buffer.from(
    [
      '\x1b[31mred words\x1b[0m',
      '\x1b[38;2;1;200;3mtrue color\x1b[0m and \x1b[48;5;208mpalette\x1b[0m',
      '\x1b[1mbold\x1b[0m \x1b[2mdim\x1b[0m \x1b[3mitalic\x1b[0m \x1b[4munderlined\x1b[0m',
      '\x1b[7minverse\x1b[0m \x1b[9mstruck\x1b[0m',
      '<img src=x onerror=alert(1)> & <b>text</b>',
    ].join('\r\n'),
  );
  return [
    { kind: 'resize', tsNs: START_NS, cols: 60, rows: 10 },
    { kind: 'data', tsNs: START_NS + 1n, startByteOffset: 0, bytes: first },
    {
      kind: 'snapshot',
      tsNs: START_NS + 2n,
      snapshotId: 1n,
      label: 'a <moment>',
      anchorByte: first.length,
    },
    { kind: 'data', tsNs: START_NS + 3n, startByteOffset: first.length, bytes: rest },
  ];
}

/** `line 1` to `line N`, in records of up to a thousand. */
export function manyLines(count: number): AhrRecord[] {
  const records: AhrRecord[] = [{ kind: 'resize', tsNs: START_NS, cols: 40, rows: 10 }];
  let startByteOffset = 0;
  for (let from = 1; from <= count; from += 1000) {
    const length = Math.min(1000, count - from + 1);
    const lines = Array.from({ length }, (_, index) => `line ${from + index}`);
    const bytes = Buffer.from(`${lines.join('\r\n')}\r\n`);
    records.push({ kind: 'data', tsNs: START_NS + BigInt(from), startByteOffset, bytes });
    startByteOffset += bytes.length;
  }
  return records;
}
