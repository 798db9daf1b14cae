import { Readable } from 'node:stream';
import { Command } from 'commander';
import { UserError } from '../../base/errors.ts';
import { frameText, takeFrame } from '../../terminal/keyframes/frame.ts';
import { frameAt, type FrameTarget } from '../../terminal/keyframes/frames.ts';
import { finalLines } from '../../terminal/lines/finalLines.ts';
import { parseMoment, positiveNumber, type MomentOption } from '../arguments.ts';
import { lastPauseLine, readPauses } from '../recordings/recordedPauses.ts';
import { withKeyframes } from '../recordings/withKeyframes.ts';
import { withRecording, type OpenedRecording } from '../recordings/withRecording.ts';
import { playInRealTime } from '../recordings/playInRealTime.ts';
import { printMeta } from '../recordings/printMeta.ts';
import { withProgress } from '../progress.ts';
import { firstRecord, recordedSize } from '../recordings/recordedSize.ts';
import { writeOut } from '../writeOut.ts';

interface ReplayOptions {
  readonly session?: string;
  readonly fast?: boolean;
  readonly colors: boolean;
  readonly raw?: boolean;
  readonly printMeta?: boolean;
  readonly json?: boolean;
  readonly at?: MomentOption;
  readonly speed: number;
}

export function replayCommand(): Command {
  return new Command('replay')
    .description('Play a session in this terminal')
    .option('--session <id|file>', 'The session or .ahr file (default: the newest session)')
    .option('--fast', 'Print the final lines without delays')
    .option('--no-colors', 'Print without colors')
    .option(
      '--raw',
      'Pass on all recorded bytes: this terminal may then write the clipboard, or answer queries',
    )
    .option('--print-meta', 'Print host, size, duration, exit code and other facts instead')
    .option('--json', 'With --print-meta: print JSON')
    .option(
      '--at <time|@byte>',
      'Print the screen at a moment: 95.5, 1:35, @198000, or a date and time',
      parseMoment,
    )
    .option('--speed <factor>', 'Playback speed; 2 is twice as fast', positiveNumber, 1)
    .action((options: ReplayOptions) =>
      withRecording(options.session, (recording) => replay(recording, options)),
    );
}

async function replay(recording: OpenedRecording, options: ReplayOptions): Promise<void> {
  if (options.json && !options.printMeta)
    throw new UserError('bad-argument', '--json needs --print-meta.');
  if (options.raw && (!options.colors || options.fast || options.at))
    throw new UserError(
      'bad-argument',
      '--raw cannot be combined with --no-colors, --fast or --at.',
    );
  if (options.printMeta) await printMeta(recording, options.json === true);
  else if (options.at) await printFrame(recording, options.at, options.colors);
  else if (options.fast) await writeOut(Readable.from(finalText(recording, options.colors)));
  else
    await playInRealTime(recording, {
      speed: options.speed,
      isColored: options.colors,
      isRaw: options.raw === true,
    });
  const { problem } = recording.reader;
  // A running session has no end yet; the reader reports that as a problem.
  if (problem && recording.session?.meta.state !== 'running')
    process.stderr.write(`ah: ${problem.message}\n`);
}

async function* finalText(recording: OpenedRecording, isColored: boolean): AsyncGenerator<string> {
  const size = await recordedSize(recording);
  const source = withProgress(recording.reader, 'Reading');
  const { unicodeVersion } = recording;
  for await (const lines of finalLines({ source, size, unicodeVersion, isStyled: isColored })) {
    yield lines.map((line) => `${(isColored ? line.styled : undefined) ?? line.text}\n`).join('');
  }
  const ending = lastPauseLine((await readPauses(recording)).at(-1));
  if (ending !== undefined) yield `${ending}\n`;
}

async function printFrame(
  recording: OpenedRecording,
  moment: MomentOption,
  isColored: boolean,
): Promise<void> {
  const size = await recordedSize(recording);
  const target = await targetOf(recording, moment);
  const at = { source: recording.reader, size, target };
  const { unicodeVersion } = recording;
  const model = await withKeyframes(recording, (keyframes) =>
    frameAt({ ...at, unicodeVersion, ...(keyframes && { keyframes }) }),
  );
  const text = frameText(takeFrame(model), { isColored });
  await writeOut(Readable.from(text.map((line) => `${line}\n`)));
}

async function targetOf({ reader }: OpenedRecording, moment: MomentOption): Promise<FrameTarget> {
  const first = await firstRecord(reader);
  if (!first) throw new UserError('empty-recording', 'Nothing is recorded yet.');
  if ('elapsedSeconds' in moment) {
    return { tsNs: first.tsNs + BigInt(Math.round(moment.elapsedSeconds * 1e9)) };
  }
  if (moment.timeNs === undefined) return { byteOffset: moment.byte };
  if (moment.timeNs < first.tsNs)
    throw new UserError('before-start', 'The recording starts after that time.');
  return { tsNs: moment.timeNs };
}
