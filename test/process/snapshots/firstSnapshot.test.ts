import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { slowTest } from '../../support/tiers.ts';
import { useSandbox } from '../../support/useSandbox.ts';

const FOLDERS = 1000;
const FILES_PER_FOLDER = 100;

describe('the first snapshot', () => {
  const sandbox = useSandbox();
  const workspace = useTemporaryFolder();

  slowTest('of 100,000 files is exact when the program changes and commits at once', async () => {
    // This process reads the snapshots, too.
    process.env['AH_DATA_DIR'] = sandbox.current.folder;
    await makeRepository(workspace.path);
    const change = 'echo changed > 500/50 && git -c user.name=a -c user.email=a@a commit -qam two';
    const cwd = workspace.path;
    await sandbox.current.launch(['/bin/sh', '-c', change], { cwd, workspace: cwd });
    await sandbox.current.settled(60_000);
    const [session] = await sandbox.current.catalogue.list();
    const files = await SessionFiles.open(session!);
    const content = async (id: bigint) =>
      Buffer.from(await (await files.tree(id)).read('500/50')).toString();
    const last = files.snapshots.at(-1)!;
    assert.equal(last.trigger, 'end');
    assert.equal(await content(last.id), 'changed\n');
    const first = files.snapshots[0]!;
    assert.equal(first.trigger, 'start');
    assert.equal(await content(first.id), 'original\n');
    assert.equal(first.files.state === 'kept' && first.files.isLate === true, false);
    await files.dispose();
  });
});

async function makeRepository(folder: string): Promise<void> {
  for (let each = 0; each < FOLDERS; each++) {
    const below = path.join(folder, String(each));
    mkdirSync(below);
    for (let file = 0; file < FILES_PER_FOLDER; file++)
      writeFileSync(path.join(below, String(file)), 'original\n');
  }
  await userGit(folder, 'init', '-q');
  await userGit(folder, 'add', '.');
  await userGit(folder, 'commit', '-qm', 'one');
}
