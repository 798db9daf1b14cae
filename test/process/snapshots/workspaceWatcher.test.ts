import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WorkspaceWatcher } from '../../../src/snapshots/node/watch/workspaceWatcher.ts';
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

  /** A busy machine may lose events once: then everything may have changed. */
  async function told(): Promise<readonly string[]> {
    let paths: readonly string[] | undefined;
    await until(async () => (paths = await watcher.take()) !== undefined, 'what changed');
    return paths!;
  }

  /** Whether a change is reported, itself or by a parent folder. */
  async function tells(name: string, change: () => void): Promise<boolean> {
    await told();
    change();
    const paths = await watcher.take();
    // Without paths, any file may have changed, so every snapshot scans everything.
    return paths?.some((each) => name === each || name.startsWith(`${each}/`)) ?? true;
  }

  const write = (name: string) => () => writeFileSync(at(name), 'changed');

  it('reports changes in folders that were created at once, repeatedly', async () => {
    mkdirSync(at('a/b/c/d'), { recursive: true });
    writeFileSync(at('a/b/c/d/file'), '');
    for (let time = 0; time < 3; time++)
      assert.ok(await tells('a/b/c/d/file', write('a/b/c/d/file')), `time ${time}`);
  });

  it('reports changes in folders that were moved or replaced', async () => {
    renameSync(at('old'), at('new'));
    assert.ok(await tells('new/inner/file', write('new/inner/file')));
    rmSync(at('new'), { recursive: true });
    mkdirSync(at('new/inner/most'), { recursive: true });
    assert.ok(await tells('new/inner/most/file', write('new/inner/most/file')));
  });

  it("reports unknown if it can't tell the names of folders that were created at once", async () => {
    const folder = Buffer.concat([Buffer.from(at('caf')), Buffer.from([0xe9])]);
    mkdirSync(Buffer.concat([folder, Buffer.from('/in/most')]), { recursive: true });
    for (let time = 0; time < 3; time++) {
      writeFileSync(Buffer.concat([folder, Buffer.from('/in/most/file')]), `${time}`);
      const paths = await watcher.take();
      assert.ok(paths?.some((each) => each.includes('\uFFFD')) ?? true, `time ${time}`);
    }
  });

  it('watches everything again after many new folders, and reports unknown until then', async () => {
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
