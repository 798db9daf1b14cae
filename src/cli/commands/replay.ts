import { Readable } from 'node:stream';
import { Command } from 'commander';
import { UserError } from '../../base/errors.ts';
import { frameText, takeFrame } from '../../terminal/keyframes/frame.ts';
import { frameAt, type FrameTarget } from '../../terminal/keyframes/frames.ts';
import { finalLines } from '../../terminal/lines/finalLines.ts';
import { parseMoment, positiveNumber, type Moment } from '../arguments.ts';
import { withKeyframes } from '../withKeyframes.ts';
import { withRecording, type OpenedRecording } from '../withRecording.ts';
import { playInRealTime } from '../playInRealTime.ts';
import { printMeta } from '../printMeta.ts';
import { withProgress } from '../progress.ts';
import { firstRecord, recordedSize } from '../recordedSize.ts';
import { writeOut } from '../writeOut.ts';

interface ReplayOptions {
  readonly session?: string;
  readonly fast?: boolean;
  readonly colors: boolean;
  readonly printMeta?: boolean;
  readonly at?: Moment;
  readonly speed: number;
}

export function replayCommand(): Command {
  return new Command('replay')
    .description('show a session again, as it happened')
    .option('--session <id|file>', 'which session (default: the newest)')
    .option('--fast', 'print the final lines at once')
    .option('--no-colors', 'leave colours out')
    .option('--print-meta', 'print facts and figures instead')
    .option(
      '--at <time|@byte>',
      'print the screen of that moment: 95.5, 1:35, @198000, or a date and time',
      parseMoment,
    )
    .option('--speed <factor>', 'play so many times faster', positiveNumber, 1)
    .action((options: ReplayOptions) =>
      withRecording(options.session, (recording) => replay(recording, options)),
    );
}

async function replay(recording: OpenedRecording, options: ReplayOptions): Promise<void> {
  if (options.printMeta) await printMeta(recording);
  else if (options.at) await printFrame(recording, options.at, options.colors);
  else if (options.fast) await writeOut(Readable.from(finalText(recording, options.colors)));
  else await playInRealTime(recording, { speed: options.speed, isColored: options.colors });
  const { problem } = recording.reader;
  // The end of a running session is not written yet: that is no damage.
  if (problem && recording.session?.meta.state !== 'running')
    process.stderr.write(`ah: ${problem.message}\n`);
}

async function* finalText(recording: OpenedRecording, isColored: boolean): AsyncGenerator<string> {
  const size = await recordedSize(recording);
  const source = withProgress(recording.reader, 'Reading');
  for await (const lines of finalLines({ source, size, isStyled: isColored })) {
    yield lines
      .map(
        (line) => `${(isColored ? line.styled : undefined) ?? line.text}
`,
      )
      .join('');
  }
}

async function printFrame(
  recording: OpenedRecording,
  moment: Moment,
  isColored: boolean,
): Promise<void> {
  const size = await recordedSize(recording);
  const target = await targetOf(recording, moment);
  const model = await withKeyframes(recording, (keyframes) =>
    frameAt({ source: recording.reader, size, target, ...(keyframes && { keyframes }) }),
  );
  const text = frameText(takeFrame(model), { isColored });
  await writeOut(Readable.from(text.map((line) => `${line}\n`)));
}

async function targetOf({ reader }: OpenedRecording, moment: Moment): Promise<FrameTarget> {
  const first = await firstRecord(reader);
  if (!first) throw new UserError('empty-recording', 'Nothing has been recorded yet.');
  switch (moment.kind) {
    case 'byte':
      return { byteOffset: moment.byteOffset };
    case 'elapsed':
      return { tsNs: first.tsNs + BigInt(Math.round(moment.seconds * 1e9)) };
    case 'clock':
      if (moment.tsNs < first.tsNs)
        throw new UserError('before-start', 'The recording began after that time.');
      return { tsNs: moment.tsNs };
  }
}
