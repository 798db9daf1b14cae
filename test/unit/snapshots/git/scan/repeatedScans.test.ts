import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeExec } from '../../../../../src/platform/node/processes/exec.ts';
import { nodeFiles } from '../../../../../src/platform/node/files/files.ts';
import type { Exec, Files } from '../../../../../src/snapshots/common/ports.ts';
import type { SnapshotProvider } from '../../../../../src/snapshots/common/provider.ts';
import {
  filesInTree,
  filesOnDisk,
  openReal,
  take,
  userGit,
} from '../../../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

/** Longer than a file system's clock tick: after this time, file times are trusted. */
const SETTLED_MS = 60;

describe('git snapshots: scan after scan', () => {
  const folder = useTemporaryFolder();
  let workspace = '';
  let provider: SnapshotProvider;
  /** Makes the next git command that lists new files fail. */
  let isBroken = false;
  const read: string[] = [];

  const exec: Exec = (program, args, options) => {
    if (isBroken && args.includes('ls-files')) throw new Error('The disk is gone.');
    return nodeExec(program, args, options);
  };
  const files: Files = {
    ...nodeFiles,
    read(file) {
      if (file.startsWith(`${workspace}/`) && !file.includes('/.git/'))
        read.push(path.relative(workspace, file));
      return nodeFiles.read(file);
    },
  };

  beforeEach(async () => {
    isBroken = false;
    workspace = path.join(folder.path, 'work');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
    for (const name of ['a', 'b', 'c']) put(name, `${name}\n`);
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-q', '-m', 'first');
    provider = await openReal(workspace, path.join(folder.path, 'storage'), { exec, files });
    await sleep(SETTLED_MS);
    // Takes two snapshots: the provider trusts the first result only when a second scan confirms
    // it.
    await take(provider);
    await take(provider);
  });
  afterEach(() => provider.dispose());

  function put(name: string, content: string): void {
    writeFileSync(path.join(workspace, name), content);
  }

  async function assertWhole(): Promise<void> {
    const { ref } = await take(provider);
    assert.deepEqual(await filesInTree(await provider.open(ref)), filesOnDisk(workspace));
  }

  it('a failed scan does not hide new files from the next', async () => {
    put('new', 'new\n');
    await sleep(SETTLED_MS);
    isBroken = true;
    await assert.rejects(take(provider));
    isBroken = false;
    await assertWhole();
    await assertWhole();
  });

  it('a file is read once as long as it looks the same', async () => {
    put('a', 'changed\n');
    put('b', 'changed too\n');
    await sleep(SETTLED_MS);
    await assertWhole();
    read.length = 0;
    put('c', 'later\n');
    await sleep(SETTLED_MS);
    await assertWhole();
    assert.deepEqual(read, ['c']);
    put('a', 'CHANGED\n');
    await assertWhole();
    const then = new Date(1_700_000_000_000);
    utimesSync(path.join(workspace, 'b'), then, then);
    put('a', 'again!!\n');
    utimesSync(path.join(workspace, 'a'), then, then);
    await assertWhole();
    put('a', 'AGAIN!!\n');
    utimesSync(path.join(workspace, 'a'), then, then);
    await assertWhole();
  });
});
