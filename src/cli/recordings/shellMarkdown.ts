import { fenced } from '../../agents/common/conversation/fenced.ts';
import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import type { Pause } from '../../recording/read/pauses.ts';
import { pauseLine } from './recordedPauses.ts';
import type { ShellCommand } from './shellCommands.ts';

export interface ShellMarkdownOptions {
  readonly snapshots: readonly SnapshotLine[];
  readonly diffOf: (before: SnapshotLine, after: SnapshotLine) => Promise<string | undefined>;
  /** Applied to each text before it is formatted. */
  readonly redact: (text: string) => string;
  readonly timeText: (date: Date) => string;
  /** The times at which nothing was recorded, in order. */
  readonly pauses: readonly Pause[];
}

/** The commands of a shell as Markdown: each with its exit code, its output and its changes. */
export async function* shellMarkdown(
  commands: readonly ShellCommand[],
  { snapshots, diffOf, redact, timeText, pauses }: ShellMarkdownOptions,
): AsyncGenerator<string, void, void> {
  const kept = snapshots.filter(({ files }) => files.state === 'kept');
  // Leave out pauses that ended during a command: its output has the recorder's line about them.
  const between = pauses.filter(
    (pause) => !pause.isResumed || !commands.some((command) => isDuring(pause, command)),
  );
  let last: SnapshotLine | undefined;
  let shown = 0;
  for (const [index, command] of commands.entries()) {
    const { line, startNs, fromByte, exitCode, output } = command;
    for (; (between[shown]?.byteOffset ?? Infinity) <= fromByte; shown++) {
      yield* pauseLines(between.slice(shown, shown + 1));
    }
    const time = timeText(new Date(Number(startNs / 1_000_000n)));
    const facts = [
      `## ${index + 1}`,
      time,
      ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
    ];
    yield `\n${facts.join(' · ')}\n`;
    if (line !== undefined) yield `\n${fenced(redact(line), 'sh')}`;
    if (output.length > 0) yield `\n${fenced(redact(output.join('\n')))}`;
    const after = snapshotAfter(kept, command, commands[index + 1]);
    const before = after && snapshotBefore(kept, command, last);
    if (after) last = after;
    const diff = after && before && (await diffOf(before, after));
    if (diff) yield `\n${fenced(redact(diff), 'diff')}`;
  }
  yield* pauseLines(between.slice(shown));
}

function isDuring({ byteOffset }: Pause, { fromByte, toByte }: ShellCommand): boolean {
  return byteOffset > fromByte && byteOffset < toByte;
}

function pauseLines(pauses: readonly Pause[]): string[] {
  return pauses.map((pause) => `\n${pauseLine(pause)}\n`);
}

/** The first snapshot after a command; commands in quick succession share that of the last one. */
function snapshotAfter(
  kept: readonly SnapshotLine[],
  { toByte }: ShellCommand,
  next: ShellCommand | undefined,
): SnapshotLine | undefined {
  return kept.find(
    ({ anchorByte }) => anchorByte >= toByte && (next === undefined || anchorByte < next.toByte),
  );
}

/** The last snapshot before a command. @param last the snapshot after the previous command */
function snapshotBefore(
  kept: readonly SnapshotLine[],
  { fromByte }: ShellCommand,
  last: SnapshotLine | undefined,
): SnapshotLine | undefined {
  const earlier = kept.findLast(({ anchorByte }) => anchorByte <= fromByte);
  return last && (!earlier || last.id > earlier.id) ? last : earlier;
}
