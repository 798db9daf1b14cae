import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DataRecord } from '../../../src/recording/format/records.ts';
import type { TerminalSize } from '../../../src/base/terminalSize.ts';

const FOLDER = path.join(import.meta.dirname, '../../fixtures/pty');

export const PTY_FIXTURES = ['claude', 'codex', 'gemini'] as const;
export const SHELL_FIXTURES = ['shell', 'shellWithMarks'] as const;

interface PtyOutput {
  readonly size: TerminalSize;
  readonly bytes: Uint8Array;
  /** The bytes of the pty. */
  readonly records: readonly DataRecord[];
}

export interface PtyFixture extends PtyOutput {
  /** Scrollback and screen at the end, according to another program. */
  readonly finalText: string;
}

export function readPtyFixture(name: (typeof PTY_FIXTURES)[number]): PtyFixture {
  const finalText = readFileSync(path.join(FOLDER, `${name}.bin.final.txt`), 'utf8');
  return { ...readPtyOutput(name), finalText };
}

export function readPtyOutput(
  name: (typeof PTY_FIXTURES | typeof SHELL_FIXTURES)[number],
): PtyOutput {
  const bytes = new Uint8Array(readFileSync(path.join(FOLDER, `${name}.bin`)));
  const timing = JSON.parse(readFileSync(path.join(FOLDER, `${name}.bin.timing.json`), 'utf8')) as {
    cols: number;
    rows: number;
    chunks: [number, number][];
  };
  const records: DataRecord[] = [];
  let offset = 0;
  for (const [milliseconds, length] of timing.chunks) {
    records.push({
      kind: 'data',
      tsNs: BigInt(milliseconds) * 1_000_000n,
      startByteOffset: offset,
      bytes: bytes.subarray(offset, offset + length),
    });
    offset += length;
  }
  return { size: { cols: timing.cols, rows: timing.rows }, bytes, records };
}
