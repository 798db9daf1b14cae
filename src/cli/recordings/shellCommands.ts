import { startsAgent } from '../../agents/common/shellSession.ts';
import {
  CommandMarkScanner,
  type CommandMark,
} from '../../timeline/common/moments/commandMarks.ts';
import { commandAfterPrompt } from '../../timeline/common/transcript/fullScreen.ts';
import type { HistoryLine } from '../../timeline/common/transcript/lineText.ts';
import { ScreenHistory } from '../../timeline/common/transcript/screenHistory.ts';
import { recordedSize } from './recordedSize.ts';
import type { OpenedRecording } from './withRecording.ts';

/** A command that a recorded shell announced. */
export interface ShellCommand {
  /** The command line, if the shell sent it or its prompt is known. */
  readonly line: string | undefined;
  readonly startNs: bigint;
  /** Bytes of output before its start and its end. */
  readonly fromByte: number;
  readonly toByte: number;
  /** Undefined if the command did not end or the shell did not report the exit code. */
  readonly exitCode: number | undefined;
  /** The lines of its output as a terminal would show them. */
  readonly output: readonly string[];
}

type TimedMark = CommandMark & { readonly tsNs: bigint };

/** The commands of a recorded shell, in order; none if it did not announce them. */
export async function readShellCommands(recording: OpenedRecording): Promise<ShellCommand[]> {
  const lines: HistoryLine[] = [];
  const marks: TimedMark[] = [];
  const scanner = new CommandMarkScanner();
  const history = new ScreenHistory({
    size: await recordedSize(recording),
    unicodeVersion: recording.unicodeVersion,
    shell: { isAgent: startsAgent },
    onLine: (line) => lines.push(line),
  });
  for await (const record of recording.reader.records()) {
    history.play(record);
    if (record.kind !== 'data') continue;
    const found = scanner.scan(record.bytes, record.startByteOffset);
    marks.push(...found.map((mark) => ({ ...mark, tsNs: record.tsNs })));
  }
  lines.push(...history.shown);
  history.dispose();
  lines.sort((a, b) => a.order - b.order);
  return marks.flatMap((mark, index) =>
    mark.kind === 'started' ? [commandOf(mark, marks[index + 1], lines)] : [],
  );
}

function commandOf(
  { command, byteOffset: fromByte, tsNs }: TimedMark,
  next: TimedMark | undefined,
  lines: readonly HistoryLine[],
): ShellCommand {
  const toByte = next?.byteOffset ?? Infinity;
  const prompt = lines.findLast(({ firstByte }) => firstByte <= fromByte);
  return {
    line: command ?? (prompt && commandAfterPrompt(prompt.text)),
    startNs: tsNs,
    fromByte,
    toByte,
    exitCode: next?.exitCode,
    output: lines
      .filter(({ firstByte }) => firstByte > fromByte && firstByte <= toByte)
      .map(({ text }) => text),
  };
}
