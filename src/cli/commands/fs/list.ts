import { Command } from 'commander';
import { readSessionNotes } from '../../../sessions/node/sessionNotes.ts';
import {
  encodeSnapshotLine,
  type SnapshotFiles,
  type SnapshotLine,
} from '../../../snapshots/common/snapshotLine.ts';
import { counted, formatTable, formatTime, printable } from '../../formatting.ts';
import { sessionOption, withSessionFiles } from '../../whichSession.ts';

export function listCommand(): Command {
  return new Command('list')
    .description('List the snapshots of a session')
    .addOption(sessionOption())
    .option('--json', 'Print JSON, one line for each snapshot, as in session.snapshots.jsonl')
    .action(list);
}

async function list({ session, json }: { session?: string; json?: boolean }): Promise<void> {
  await withSessionFiles(session, async ({ snapshots, session: { folder } }) => {
    if (json) {
      process.stdout.write(snapshots.map((line) => `${encodeSnapshotLine(line)}\n`).join(''));
      return;
    }
    const { pinnedSnapshots = [] } = await readSessionNotes(folder);
    const header = ['ID', 'TIME', 'BYTE', 'FILES', 'LABEL'];
    const rows = snapshots.map((line) => asRow(line, pinnedSnapshots.includes(String(line.id))));
    process.stdout.write(`${formatTable([header, ...rows])}\n`);
  });
}

function asRow({ id, tsNs, anchorByte, files, label }: SnapshotLine, isPinned: boolean): string[] {
  const number = `${id}${isPinned ? ' (pinned)' : ''}`;
  return [number, formatTime(tsNs), String(anchorByte), filesText(files), printable(label)];
}

function filesText(files: SnapshotFiles): string {
  if (files.state === 'failed') return `no files: ${printable(files.reason)}`;
  if (files.state !== 'kept') return files.state;
  const left = files.omissions.length;
  const changed = files.stats.changed === undefined ? '' : `, ${files.stats.changed} changed`;
  const late = files.isLate ? ', late' : '';
  return `${files.provider}${changed}${late}${left > 0 ? `, ${counted(left, 'omission')}` : ''}`;
}
