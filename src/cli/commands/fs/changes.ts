import { Command } from 'commander';
import { UserError } from '../../../base/errors.ts';
import { snapshotBefore } from '../../../snapshots/common/snapshotBefore.ts';
import { parseSnapshotId } from '../../arguments.ts';
import { sessionOption, withSessionFiles } from '../../whichSession.ts';
import { printChanges, type CompareOptions } from './diff.ts';
import { JSON_OUTPUT } from '../../descriptions.ts';

export function changesCommand(): Command {
  return new Command('changes')
    .description('Show what the tool or command before a snapshot changed on disk')
    .addOption(sessionOption())
    .argument('[snapshot]', 'Number of the snapshot (default: the last one)', parseSnapshotId)
    .option('-p, --patch', 'Show changed lines, not just names')
    .option('--json', JSON_OUTPUT)
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
      throw new UserError('no-snapshot', 'This session has no snapshot with files.');
    }
    files.kept(id);
    const before = snapshotBefore(files.snapshots, id);
    if (!before) {
      throw new UserError(
        'no-snapshot',
        `Can't compare: snapshot ${id} is the first of its session.`,
      );
    }
    await printChanges(files, before.id, id, options);
  });
}
