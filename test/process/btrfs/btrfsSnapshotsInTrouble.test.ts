import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../support/random.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';
import { openBtrfs } from '../../support/volumes/openBtrfs.ts';
import { fillUp } from '../../support/volumes/fillUp.ts';
import { stateOf, take } from '../../support/volumes/providerContract.ts';
import { treeState } from '../../support/volumes/treeState.ts';
import { slowTest } from '../../support/tiers.ts';
import { isSoak } from '../../support/soak.ts';

const { signal } = new AbortController();
const program = path.resolve(import.meta.dirname, '../../support/volumes/takeForever.ts');
const KILLS = isSoak ? 200 : 8;

describe('snapshots on Btrfs in trouble', function () {
  this.timeout(60_000 + KILLS * 3_000);
  // About the smallest possible disk.
  const disk = useBtrfsDisk({ sizeMib: 120 });
  const elsewhere = useTemporaryFolder();

  const open = (workspace: string) => openBtrfs(workspace, elsewhere.path);

  /** Runs {@link program} for some time and returns the references that it printed. */
  async function takeAndKill(
    workspace: string,
    prefix: string,
    afterMs: number,
  ): Promise<string[]> {
    const child = spawn(process.execPath, [program, workspace, elsewhere.path, prefix], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // Kills the program, and the `btrfs` command that it may be running.
      detached: true,
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = new Promise((resolve) => child.on('close', resolve));
    while (output === '') await sleep(5);
    await sleep(afterMs);
    process.kill(-child.pid!, 'SIGKILL');
    await ended;
    return output.split('\n').slice(0, -1);
  }

  slowTest('leave only listed, removable snapshots after a kill', async () => {
    const workspace = disk.current.folderOf('project');
    const random = new Random(7);
    for (let kill = 0; kill < KILLS; kill++) {
      const taken = await takeAndKill(workspace, `k${kill}`, random.below(300));
      const provider = await open(workspace);
      const listed = await provider.list();
      const last = taken.at(-1)!;
      // The program may have removed the last snapshot itself.
      const number = Number(last.split('-').at(-1));
      if (number % 5 !== 4 && (number + 1) % 5 !== 4) assert.ok(listed.includes(last), last);
      await provider.remove(listed);
      assert.deepEqual(await provider.list(), []);
      const left = disk.current.subvolumes();
      assert.deepEqual(left, ['.ah-snapshots'], `after kill ${kill}`);
    }
  });

  it('report a full disk, leave nothing of the attempt, and continue when there is room', async () => {
    const workspace = disk.current.folderOf('home/project');
    fs.writeFileSync(`${workspace}/file`, 'before');
    const provider = await open(workspace);
    const before = treeState(workspace);
    const first = await take(provider, 'first');
    const kept = [first];
    fillUp(`${disk.current.folder}/filler`);
    await assert.rejects(
      async () => {
        for (let count = 0; count < 5000; count++) {
          fs.chmodSync(`${workspace}/file`, 0o600 + (count % 0o100));
          kept.push((await provider.take({ name: `s${count}`, label: '', signal })).ref);
        }
      },
      { code: 'disk-full' },
    );
    assert.deepEqual(await provider.list(), [...kept].sort());
    assert.deepEqual(await stateOf(provider, first), before);
    fs.rmSync(`${disk.current.folder}/filler`, { recursive: true });
    await provider.remove(kept.slice(1));
    fs.writeFileSync(`${workspace}/file`, 'after');
    const next = await take(provider, 'next');
    const changes = await provider.diff(first, next, signal);
    assert.deepEqual(
      changes.map(({ path: name, kind }) => [name, kind]),
      [['file', 'modified']],
    );
  });
});
