import { Command } from 'commander';
import { UserError } from '../../../base/errors.ts';
import { snapshotBefore } from '../../../snapshots/common/snapshotBefore.ts';
import { parseSnapshotId } from '../../snapshotArgument.ts';
import { sessionOption, withSessionFiles } from '../../whichSession.ts';
import { printChanges, type CompareOptions } from './diff.ts';

export function changesCommand(): Command {
  return new Command('changes')
    .description('what the tool or command before a snapshot changed on disk')
    .addOption(sessionOption())
    .argument('[snapshot]', 'its number (default: the last one)', parseSnapshotId)
    .option('-p, --patch', 'show the lines, not just the names')
    .option('--json', 'for programs')
    .action(changes);
}

async function changes(
  given: bigint | undefined,
  { session, ...options }: CompareOptions & { readonly session?: string },
): Promise<void> {
  await withSessionFiles(session, async (files) => {
    const last = files.snapshots.findLast(({ files: kept }) => kept.state === 'kept');
    const id = given ?? last?.id;
    if (id === undefined) {
      throw new UserError('no-snapshot', 'No files have been kept in this session.');
    }
    files.kept(id);
    const before = snapshotBefore(files.snapshots, id);
    if (!before) {
      throw new UserError('no-snapshot', `Snapshot ${id} is the first one of its session.`);
    }
    await printChanges(files, before.id, id, options);
  });
}
