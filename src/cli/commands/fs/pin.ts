import { Command } from 'commander';
import { changeSessionNotes, readSessionNotes } from '../../../sessions/node/sessionNotes.ts';
import { parseSnapshotId } from '../../arguments.ts';
import { sessionOption, withSessionFiles } from '../../whichSession.ts';
import { SNAPSHOT_NUMBER } from '../../descriptions.ts';

export function pinCommand(): Command {
  return new Command('pin')
    .description('Protect a snapshot from pruning')
    .addOption(sessionOption())
    .argument('<snapshot>', SNAPSHOT_NUMBER, parseSnapshotId)
    .option('--remove', 'Remove the pin')
    .action(pin);
}

async function pin(
  id: bigint,
  { session, remove }: { session?: string; remove?: boolean },
): Promise<void> {
  await withSessionFiles(session, async (files) => {
    if (!remove) files.kept(id);
    const { folder } = files.session;
    const { pinnedSnapshots = [] } = await readSessionNotes(folder);
    const others = pinnedSnapshots.filter((each) => each !== String(id));
    const pinned = remove ? others : [...others, String(id)];
    await changeSessionNotes(folder, { pinnedSnapshots: pinned });
    process.stdout.write(`Snapshot ${id} is ${remove ? 'no longer pinned' : 'pinned'}.\n`);
  });
}
