import { byteText } from '../base/byteText.ts';
import {
  counted,
  formatDuration,
  formatTable,
  formatTime,
  printable,
  secondsBetween,
} from './formatting.ts';
import { stat } from 'node:fs/promises';
import type { OpenedRecording } from './withRecording.ts';

/** Facts and figures of a recording, for people. */
export async function printMeta(recording: OpenedRecording): Promise<void> {
  const { file, reader, session } = recording;
  const counts = { data: 0, resize: 0, input: 0, mark: 0, snapshot: 0 };
  let outputBytes = 0;
  let size = '';
  let firstNs: bigint | undefined;
  let lastNs = 0n;
  for await (const record of reader.records()) {
    firstNs ??= record.tsNs;
    lastNs = record.tsNs;
    counts[record.kind]++;
    if (record.kind === 'data') outputBytes += record.bytes.length;
    if (record.kind === 'resize') size ||= `${record.cols} × ${record.rows}`;
  }
  const fileBytes = (await stat(file)).size;
  const rows = [
    ['file', file],
    ...(session
      ? [
          ['session', session.meta.id],
          ['command', printable(session.meta.cmd.join(' '))],
          ['folder', printable(session.meta.cwd)],
          ['state', session.meta.state],
        ]
      : []),
    ['started', firstNs === undefined ? 'nothing recorded yet' : formatTime(firstNs)],
    ['length', firstNs === undefined ? '' : formatDuration(secondsBetween(firstNs, lastNs))],
    ['size', size],
    ['output', byteText(outputBytes)],
    ['on disk', `${byteText(fileBytes)}, ${counted(reader.blocks.length, 'block')}`],
    [
      'records',
      [
        `${counts.data} output`,
        counted(counts.resize, 'resize'),
        counted(counts.snapshot, 'snapshot'),
        `${counts.input} input`,
      ].join(', '),
    ],
    ['ended', reader.isFinished ? 'by its recorder' : 'not by its recorder'],
  ];
  process.stdout.write(`${formatTable(rows)}\n`);
}
