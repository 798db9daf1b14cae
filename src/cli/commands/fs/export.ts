import { existsSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { UserError } from '../../../base/errors.ts';
import { allPaths, exportTree } from '../../../snapshots/node/restore/exportTree.ts';
import { checkScrubFinished } from '../../../sessions/node/unfinishedScrubs.ts';
import { counted, printable } from '../../formatting.ts';
import { Progress } from '../../progress.ts';
import { parseSnapshotId } from '../../arguments.ts';
import { sessionOption, withSessionFiles } from '../../whichSession.ts';
import { SNAPSHOT_NUMBER } from '../../descriptions.ts';

export function exportCommand(): Command {
  return new Command('export')
    .description('Write the files of a snapshot into a new folder')
    .addOption(sessionOption())
    .argument('<snapshot>', SNAPSHOT_NUMBER, parseSnapshotId)
    .argument('<folder>', 'The folder to create')
    .action(exportSnapshot);
}

async function exportSnapshot(
  id: bigint,
  folder: string,
  { session }: { session?: string },
): Promise<void> {
  const destination = path.resolve(folder);
  if (existsSync(destination)) {
    throw new UserError('bad-argument', `${folder} already exists. Choose another name.`);
  }
  await withSessionFiles(session, async (files) => {
    checkScrubFinished(files.session.meta.id);
    const tree = await files.tree(id);
    const paths: string[] = [];
    for await (const each of allPaths(tree)) paths.push(each);
    const progress = new Progress('Writing');
    const special = await exportTree(tree, paths, destination, (part) => progress.update(part));
    progress.done();
    const count = counted(paths.length - special.length, 'file');
    process.stdout.write(`${count} written to ${folder}.\n`);
    const notFiles = special.map((each) => [each, 'a pipe, a socket or a device'] as const);
    const notKept = files
      .kept(id)
      .omissions.map((each) => [each.path, each.detail ?? each.reason] as const);
    for (const [each, reason] of [...notFiles, ...notKept])
      process.stdout.write(
        `Not written: ${each === '' ? reason : `${printable(each)} (${reason})`}\n`,
      );
  });
}
