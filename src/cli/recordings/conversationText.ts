import { conversationMarkdown } from '../../agents/common/conversation/conversationMarkdown.ts';
import { fenced } from '../../agents/common/conversation/fenced.ts';
import { isInteractiveShell } from '../../agents/common/shellSession.ts';
import type { ToolCalled } from '../../agents/common/events/events.ts';
import type { Pause } from '../../recording/read/pauses.ts';
import { redactSecrets, secretsIn } from '../../redaction/redact.ts';
import { RedactedLines } from '../../redaction/redactedLines.ts';
import { readEvents } from '../../sessions/node/eventsFile.ts';
import { SessionFiles } from '../../snapshots/node/list/sessionFiles.ts';
import { readSessionNotes } from '../../sessions/node/sessionNotes.ts';
import { snapshotBefore, snapshotOfTool } from '../../snapshots/common/snapshotBefore.ts';
import { finalLines } from '../../terminal/lines/finalLines.ts';
import { lastPauseLine, readPauses } from './recordedPauses.ts';
import { recordedSize } from './recordedSize.ts';
import { readShellCommands } from './shellCommands.ts';
import { shellMarkdown } from './shellMarkdown.ts';
import { snapshotDiff } from './snapshotDiff.ts';
import type { OpenedRecording } from './withRecording.ts';

/**
 * A recording as Markdown: the conversation with its agent, or the commands of its shell, or else
 * what the terminal showed.
 */
export async function* conversationText(
  recording: OpenedRecording,
  isRedacted = false,
): AsyncGenerator<string, void, void> {
  const { session } = recording;
  const events = session ? await readEvents(session.folder) : [];
  const known = secretsIn(process.env);
  const redact = isRedacted ? (text: string) => redactedText(text, known) : undefined;
  yield await headingOf(recording, redact);
  const pauses = await readPauses(recording);
  const hasPrompts = events.some(({ kind }) => kind === 'user.prompt');
  const isShell = !hasPrompts && session !== undefined && isInteractiveShell(session.meta.cmd);
  const commands = isShell ? await readShellCommands(recording) : [];
  if (!hasPrompts && commands.length === 0) return yield* terminalText(recording, pauses, redact);
  const files =
    session?.meta.workspace === undefined ? undefined : await SessionFiles.open(session);
  const timeText = (date: Date) => date.toTimeString().slice(0, 8);
  try {
    if (!hasPrompts)
      return yield* shellMarkdown(commands, {
        snapshots: files?.snapshots ?? [],
        diffOf: async (before, after) => files && snapshotDiff(files, before, after),
        redact: redact ?? ((text) => text),
        timeText,
        pauses,
      });
    const calls = events.filter((event) => event.kind === 'tool.call');
    const diffOf = files && ((call: ToolCalled) => diffOfTool(files, call, calls));
    yield* conversationMarkdown(events, {
      timeText,
      pauses,
      ...(diffOf && { diffOf }),
      ...(redact && { redact }),
    });
  } finally {
    await files?.dispose();
  }
}

/** Redacts line by line, since a secret can continue on the next line, and then the whole text. */
function redactedText(text: string, known: readonly string[]): string {
  const lines = new RedactedLines(known);
  const safe = text.split('\n').map((line) => {
    // The `+`, `-` or blank before a line of a diff is not part of the line.
    const mark = /^[-+ ]?/.exec(line)?.[0] ?? '';
    return mark + lines.next(line.slice(mark.length));
  });
  return redactSecrets(safe.join('\n'), known);
}

async function headingOf(
  { session, file }: OpenedRecording,
  redact: (text: string) => string = (text) => text,
): Promise<string> {
  if (!session) return `# ${file.replace(/^.*[/\\]/, '')}\n`;
  const { meta, folder } = session;
  const command = redact(meta.cmd.join(' ')).replace(/\s+/g, ' ');
  const name = redact((await readSessionNotes(folder)).name ?? command);
  const started = new Date(Number(meta.startedAtNs / 1_000_000n)).toLocaleString('sv');
  return `# ${name}\n\n${started} · ${meta.cwd}\n`;
}

async function* terminalText(
  recording: OpenedRecording,
  pauses: readonly Pause[],
  redact: (text: string) => string = (text) => text,
): AsyncGenerator<string, void, void> {
  const lines: string[] = [];
  const size = await recordedSize(recording);
  const { reader: source, unicodeVersion } = recording;
  for await (const batch of finalLines({ source, size, unicodeVersion })) {
    for (const { text } of batch) lines.push(text);
  }
  const ending = lastPauseLine(pauses.at(-1));
  if (ending !== undefined) lines.push(ending);
  yield `\n${fenced(redact(lines.join('\n')))}`;
}

/** Returns undefined if the snapshots before and after the call are missing. */
async function diffOfTool(
  files: SessionFiles,
  call: ToolCalled,
  calls: readonly ToolCalled[],
): Promise<string | undefined> {
  const next = calls.reduce<bigint | undefined>(
    (first, { timeNs }) =>
      timeNs > call.timeNs && (first === undefined || timeNs < first) ? timeNs : first,
    undefined,
  );
  const after = snapshotOfTool(files.snapshots, call.timeNs, next);
  const before = after && snapshotBefore(files.snapshots, after.id);
  return snapshotDiff(files, before, after);
}
