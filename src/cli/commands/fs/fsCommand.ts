import { Command } from 'commander';
import { changesCommand } from './changes.ts';
import { diffCommand } from './diff.ts';
import { exportCommand } from './export.ts';
import { listCommand } from './list.ts';
import { pinCommand } from './pin.ts';
import { pruneCommand } from './prune.ts';
import { restoreCommand } from './restore.ts';
import { showCommand } from './show.ts';
import { snapshotCommand } from './snapshot.ts';
import { statusCommand } from './status.ts';

export function fsCommand(): Command {
  return new Command('fs')
    .description('Take, list, compare, show and restore snapshots of the files')
    .addCommand(statusCommand())
    .addCommand(snapshotCommand())
    .addCommand(listCommand())
    .addCommand(diffCommand())
    .addCommand(changesCommand())
    .addCommand(showCommand())
    .addCommand(exportCommand())
    .addCommand(restoreCommand())
    .addCommand(pinCommand())
    .addCommand(pruneCommand());
}
