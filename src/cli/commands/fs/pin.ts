import { Command } from 'commander';
import { changeSessionNotes, readSessionNotes } from '../../../sessions/node/sessionNotes.ts';
import { parseSnapshotId } from '../../snapshotArgument.ts';
import { sessionOption, withSessionFiles } from '../../whichSession.ts';

export function pinCommand(): Command {
  return new Command('pin')
    .description('keep a snapshot whatever its age; see: ah agent fs prune')
    .addOption(sessionOption())
    .argument('<snapshot>', 'its number', parseSnapshotId)
    .option('--remove', 'let it go again')
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
