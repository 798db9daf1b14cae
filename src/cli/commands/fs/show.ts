import { Command } from 'commander';
import { UserError } from '../../../base/errors.ts';
import { Readable } from 'node:stream';
import { printable } from '../../formatting.ts';
import { writeOut } from '../../writeOut.ts';
import { parseSnapshotId } from '../../snapshotArgument.ts';
import { sessionOption, withSessionFiles } from '../../whichSession.ts';

export function showCommand(): Command {
  return new Command('show')
    .description('print a file as it was, or list a folder')
    .addOption(sessionOption())
    .argument('<snapshot>', 'its number', parseSnapshotId)
    .argument('[path]', 'relative to the workspace', '')
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
      throw new UserError('not-a-file', `${path} was not a file.`);
    } else {
      await writeOut(Readable.from([await tree.read(relative)]));
    }
  });
}
