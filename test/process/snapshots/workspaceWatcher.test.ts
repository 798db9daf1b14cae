import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WorkspaceWatcher } from '../../../src/host/snapshots/workspaceWatcher.ts';
import { until } from '../../support/ah.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const MANY = 150;

describe('a watcher of a workspace', function () {
  this.timeout(60_000);
  const folder = useTemporaryFolder();
  let watcher: WorkspaceWatcher;
  const at = (name: string) => path.join(folder.path, 'w', name);

  beforeEach(async () => {
    mkdirSync(at('old/inner'), { recursive: true });
    writeFileSync(at('old/inner/file'), '');
    watcher = (await WorkspaceWatcher.start(at(''), path.join(folder.path, 'marks')))!;
    await told();
  });
  afterEach(() => watcher.dispose());

  /** A busy machine may be late once: then everything may have changed, and nothing is told. */
  async function told(): Promise<readonly string[]> {
    let paths: readonly string[] | undefined;
    await until(async () => (paths = await watcher.take()) !== undefined, 'what changed');
    return paths!;
  }

  /** Whether a change is told of, itself or by a folder that it is in. */
  async function tells(name: string, change: () => void): Promise<boolean> {
    await told();
    change();
    const paths = await watcher.take();
    // What is not known is not claimed: everything is looked at.
    return paths?.some((each) => name === each || name.startsWith(`${each}/`)) ?? true;
  }

  const write = (name: string) => () => writeFileSync(at(name), 'changed');

  it('tells of what changes in folders that were made in one go, again and again', async () => {
    mkdirSync(at('a/b/c/d'), { recursive: true });
    writeFileSync(at('a/b/c/d/file'), '');
    for (let time = 0; time < 3; time++)
      assert.ok(await tells('a/b/c/d/file', write('a/b/c/d/file')), `time ${time}`);
  });

  it('tells of what changes in folders that were moved, or came in the place of others', async () => {
    renameSync(at('old'), at('new'));
    assert.ok(await tells('new/inner/file', write('new/inner/file')));
    rmSync(at('new'), { recursive: true });
    mkdirSync(at('new/inner/most'), { recursive: true });
    assert.ok(await tells('new/inner/most/file', write('new/inner/most/file')));
  });

  it('claims nothing where it cannot say the names of folders that were made in one go', async () => {
    const folder = Buffer.concat([Buffer.from(at('caf')), Buffer.from([0xe9])]);
    mkdirSync(Buffer.concat([folder, Buffer.from('/in/most')]), { recursive: true });
    for (let time = 0; time < 3; time++) {
      writeFileSync(Buffer.concat([folder, Buffer.from('/in/most/file')]), `${time}`);
      const paths = await watcher.take();
      assert.ok(paths?.some((each) => each.includes('\uFFFD')) ?? true, `time ${time}`);
    }
  });

  it('watches all of them anew when there are many, and claims nothing before', async () => {
    for (let number = 0; number < MANY; number++)
      mkdirSync(at(`many/${number}/deep/er`), { recursive: true });
    for (let number = 0; number < MANY; number += 50) {
      const name = `many/${number}/deep/er/file`;
      assert.ok(await tells(name, write(name)), name);
    }
    await told();
    assert.deepEqual(watcher.deepFolders, []);
    assert.ok(await tells('many/7/deep/er/file', write('many/7/deep/er/file')));
  });
});
