import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import type { AhSandbox } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { placeSession, type PlacedSession } from './placeSession.ts';

const SECOND_NS = 1_000_000_000n;

/** A short session of an agent: two turns, a failed tool call, and two snapshots. */
export async function placeShortSession(
  sandbox: AhSandbox,
  workspace: string,
  name: string,
): Promise<PlacedSession> {
  const output = recordsOf(
    ...[
      [60, 10] as const,
      'Welcome to the agent\r\n',
      '> fix the test\r\n',
      'I will add a sleep.\r\n',
    ],
    ...['1 failed, 18 passed\r\n', '> try again\r\n', '19 passed\r\n', 'Done.'],
  ).map((record, index) => ({ ...record, tsNs: BigInt(index) * 10n * SECOND_NS }));
  const snapshot = (id: bigint, after: number, label: string): AhrRecord => {
    const record = output[after]!;
    const anchorByte = record.kind === 'data' ? record.startByteOffset + record.bytes.length : 0;
    return { kind: 'snapshot', tsNs: record.tsNs + 1n, snapshotId: id, anchorByte, label };
  };
  const records = [
    ...output.slice(0, 4),
    snapshot(11n, 3, 'after Edit queue.ts'),
    ...output.slice(4, 7),
    snapshot(12n, 6, 'after Bash npm test'),
    ...output.slice(7),
  ];
  const placed = await placeSession(sandbox, workspace, {
    name,
    size: { cols: 60, rows: 10 },
    records,
  });
  const at = (index: number) => {
    const record = output[index]!;
    const byte = record.kind === 'data' ? record.startByteOffset + record.bytes.length : 0;
    return `"timeNs":${placed.startedAtNs + record.tsNs},"byte":${byte}`;
  };
  const base = '"source":"hook","confidence":"high","agent":"claudeCode"';
  const call = '"tool":"Bash","callId":"1"';
  const lines = [
    `{"id":"p1","kind":"user.prompt",${base},${at(1)},"text":"fix the test\\nand say why"}`,
    `{"id":"c1","kind":"tool.call",${base},${at(3)},${call},"action":"shell","input":{},"title":"npm test"}`,
    `{"id":"r1","kind":"tool.result",${base},${at(4)},${call},"outcome":"failed","exitCode":1,"summary":"","files":[]}`,
    `{"id":"p2","kind":"user.prompt",${base},${at(4)},"text":"try again"}`,
    `{"id":"m2","kind":"assistant.message",${base},${at(7)},"text":"Done."}`,
  ];
  const file = path.join(path.dirname(placed.recording), 'session.events.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return placed;
}
