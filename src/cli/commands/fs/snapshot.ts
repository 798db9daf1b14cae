import { Command, Option } from 'commander';
import { UserError } from '../../../base/errors.ts';
import { RecorderClient } from '../../../sessions/node/recorderClient.ts';
import { encodeSnapshotLine, type SnapshotLine } from '../../../snapshots/common/snapshotLine.ts';
import { sessionOption, whichSession } from '../../whichSession.ts';
import { JSON_OUTPUT } from '../../descriptions.ts';

interface Options {
  readonly session?: string;
  readonly label: string;
  readonly trigger: 'tool' | 'command' | 'git' | 'manual';
  readonly json?: boolean;
}

export function snapshotCommand(): Command {
  return new Command('snapshot')
    .description('Take a snapshot of the current files of a running session')
    .addOption(sessionOption())
    .option('--label <text>', 'Label of the snapshot', 'Snapshot')
    .addOption(
      new Option('--trigger <what>', 'What triggered the snapshot')
        .choices(['tool', 'command', 'git', 'manual'])
        .default('manual'),
    )
    .option('--json', JSON_OUTPUT)
    .action(takeSnapshot);
}

async function takeSnapshot({ session, label, trigger, json }: Options): Promise<void> {
  const { meta } = await whichSession(session);
  const client = await RecorderClient.connect(meta.hostSocket);
  let line: SnapshotLine | undefined;
  try {
    line = await client.snapshot({
      label,
      trigger,
      kind: trigger === 'manual' ? 'manual' : 'auto',
    });
  } finally {
    client.dispose();
  }
  if (!line) return;
  if (json) process.stdout.write(`${encodeSnapshotLine(line)}\n`);
  else report(line);
}

function report({ id, files }: SnapshotLine): void {
  if (files.state === 'failed')
    throw new UserError('no-files', `Can't take the snapshot: ${files.reason}`);
  if (files.state !== 'kept') {
    process.stdout.write(`Snapshot ${id} is still being taken in the background.\n`);
    return;
  }
  process.stdout.write(`Took snapshot ${id} (${files.provider}).\n`);
  for (const { path, reason } of files.omissions.filter(({ reason }) => reason !== 'ignored'))
    process.stdout.write(`  left out, ${reason}: ${path}\n`);
}
