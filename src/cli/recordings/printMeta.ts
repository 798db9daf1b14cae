import { stat } from 'node:fs/promises';
import { byteText } from '../../base/byteText.ts';
import { stringifyExactJson } from '../../base/exactJson.ts';
import type { SessionMeta } from '../../sessions/node/sessionMeta.ts';
import {
  counted,
  formatDuration,
  formatTable,
  formatTime,
  printable,
  secondsBetween,
} from '../formatting.ts';
import type { OpenedRecording } from './withRecording.ts';

/** What a recording contains, counted from its records. */
interface Contents {
  readonly counts: Readonly<Record<'data' | 'resize' | 'input' | 'mark' | 'snapshot', number>>;
  readonly outputBytes: number;
  readonly size: { readonly cols: number; readonly rows: number } | undefined;
  readonly firstNs: bigint | undefined;
  readonly lastNs: bigint;
  readonly fileBytes: number;
}

export async function printMeta(recording: OpenedRecording, isJson: boolean): Promise<void> {
  const contents = await contentsOf(recording);
  const text = isJson ? metaJson(recording, contents) : formatTable(metaRows(recording, contents));
  process.stdout.write(`${text}\n`);
}

async function contentsOf({ file, reader }: OpenedRecording): Promise<Contents> {
  const counts = { data: 0, resize: 0, input: 0, mark: 0, snapshot: 0 };
  let outputBytes = 0;
  let size: Contents['size'];
  let firstNs: bigint | undefined;
  let lastNs = 0n;
  for await (const record of reader.records()) {
    firstNs ??= record.tsNs;
    lastNs = record.tsNs;
    counts[record.kind]++;
    if (record.kind === 'data') outputBytes += record.bytes.length;
    if (record.kind === 'resize') size ??= { cols: record.cols, rows: record.rows };
  }
  const fileBytes = (await stat(file)).size;
  return { counts, outputBytes, size, firstNs, lastNs, fileBytes };
}

function metaRows({ file, reader, session }: OpenedRecording, contents: Contents): string[][] {
  const { counts, outputBytes, size, firstNs, lastNs, fileBytes } = contents;
  return [
    ['file', file],
    ...(session ? sessionRows(session.meta) : []),
    ['started', firstNs === undefined ? 'nothing is recorded yet' : formatTime(firstNs)],
    ['length', firstNs === undefined ? '' : formatDuration(secondsBetween(firstNs, lastNs))],
    ['size', size ? `${size.cols} × ${size.rows}` : ''],
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
    ['completed', reader.isFinished ? 'yes' : 'no'],
  ];
}

function sessionRows(meta: SessionMeta): string[][] {
  const { os, arch } = meta.host;
  return [
    ['session', meta.id],
    ['command', printable(meta.cmd.join(' '))],
    ['folder', printable(meta.cwd)],
    ['host', printable([os, arch].filter(Boolean).join(' '))],
    ['state', meta.state],
    ...(meta.signal === undefined ? [] : [['signal', String(meta.signal)]]),
    ...(meta.exitCode === undefined ? [] : [['exit code', String(meta.exitCode)]]),
  ];
}

function metaJson({ file, reader, session }: OpenedRecording, contents: Contents): string {
  const { counts, outputBytes, size, firstNs, lastNs, fileBytes } = contents;
  const meta = session?.meta;
  return stringifyExactJson({
    file,
    ...(meta && {
      session: meta.id,
      cmd: meta.cmd,
      cwd: meta.cwd,
      host: { os: meta.host.os, arch: meta.host.arch },
      state: meta.state,
      exitCode: meta.exitCode,
      signal: meta.signal,
    }),
    startedAtNs: firstNs,
    endedAtNs: firstNs === undefined ? undefined : lastNs,
    ...size,
    outputBytes,
    fileBytes,
    blocks: reader.blocks.length,
    records: counts,
    isCompleted: reader.isFinished,
  });
}
