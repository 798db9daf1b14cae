import { Command } from 'commander';
import { UserError } from '../../../base/errors.ts';
import { Readable } from 'node:stream';
import { printable } from '../../formatting.ts';
import { writeOut } from '../../writeOut.ts';
import { parseSnapshotId } from '../../arguments.ts';
import { sessionOption, withSessionFiles } from '../../whichSession.ts';
import { SNAPSHOT_NUMBER } from '../../descriptions.ts';

export function showCommand(): Command {
  return new Command('show')
    .description('Print a file of a snapshot, or list a folder')
    .addOption(sessionOption())
    .argument('<snapshot>', SNAPSHOT_NUMBER, parseSnapshotId)
    .argument('[path]', 'Path relative to the workspace', '')
    .action(show);
}

async function show(id: bigint, path: string, { session }: { session?: string }): Promise<void> {
  await withSessionFiles(session, async (files) => {
    const tree = await files.tree(id);
    const relative = path.replace(/^\.\//, '').replace(/\/+$/, '').replace(/^\.$/, '');
    const { kind } = await tree.stat(relative);
    if (kind === 'folder') {
      const entries = await tree.list(relative);
      const names = entries.map(
        ({ name, kind }) => `${printable(name)}${kind === 'folder' ? '/' : ''}\n`,
      );
      await writeOut(Readable.from(names));
    } else if (kind === 'other') {
      throw new UserError('not-a-file', `Can't show ${path}: it is not a regular file.`);
    } else {
      await writeOut(Readable.from([await tree.read(relative)]));
    }
  });
}
