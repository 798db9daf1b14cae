import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { collect } from '../../support/ah.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';
import { openBtrfs } from '../../support/volumes/openBtrfs.ts';
import { stateOf, take } from '../../support/volumes/providerContract.ts';
import type { Answer } from '../../support/volumes/takeAtOnce.ts';
import { isSoak } from '../../support/soak.ts';

const program = path.resolve(import.meta.dirname, '../../support/volumes/takeAtOnce.ts');
const PROCESSES = 3;
const ROUNDS = isSoak ? 400 : 25;
/** Long enough for a few attempts to remove a snapshot. */
const COMPARING_MS = 300;

describe('snapshots on Btrfs by several processes at once', function () {
  this.timeout(60_000 + ROUNDS * 2_000);
  const disk = useBtrfsDisk({ sizeMib: 512 });
  const elsewhere = useTemporaryFolder();

  const open = (workspace: string) => openBtrfs(workspace, elsewhere.path);

  /**
   * Runs several processes, which start without a store.
   * @param answers receives their answers as they come
   */
  async function takenAtOnce(workspace: string, answers: Answer[] = []): Promise<Answer[]> {
    const runs = Array.from({ length: PROCESSES }, (_, number) => {
      const args = [program, workspace, elsewhere.path, `p${number}`, String(ROUNDS)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      createInterface(child.stdout).on('line', (line) => answers.push(JSON.parse(line) as Answer));
      return collect(child);
    });
    for (const { exitCode, stderr } of await Promise.all(runs)) assert.equal(exitCode, 0, stderr);
    return answers;
  }

  function failuresOf(answers: readonly Answer[]): string[] {
    return answers.flatMap(({ failure }) => failure ?? []);
  }

  function refsOf(answers: readonly Answer[]): string[] {
    return [...new Set(answers.flatMap(({ ref }) => ref ?? []))].sort();
  }

  it('are all complete, and nothing incomplete stays', async () => {
    const workspace = disk.current.folderOf('home/project');
    fs.writeFileSync(`${workspace}/file`, 'content');
    const answers = await takenAtOnce(workspace);
    const provider = await open(workspace);
    const [refs, listed] = [refsOf(answers), await provider.list()];
    const lost = refs.filter((ref) => !listed.includes(ref));
    assert.deepEqual({ lost, failures: failuresOf(answers) }, { lost: [], failures: [] });
    assert.deepEqual(listed, refs);
    assert.equal(answers.length, PROCESSES * ROUNDS);
    for (const ref of refs) assert.ok((await stateOf(provider, ref)).has('file'), ref);
    // Several processes may store the same change at once, but none stores an unchanged workspace.
    assert.ok(refs.length < (answers.length * 3) / 4, `${refs.length} of ${answers.length}`);
  });

  it('are taken while others are removed', async () => {
    const workspace = disk.current.folderOf('home/project');
    fs.writeFileSync(`${workspace}/file`, 'content');
    const removers = [await open(workspace), await open(workspace)] as const;
    const removed = new Set<string>();
    const answers: Answer[] = [];
    let isOver = false;
    const taking = takenAtOnce(workspace, answers).finally(() => (isOver = true));
    const removing = (async () => {
      while (!isOver) {
        await sleep(50);
        // Removes what pruning would remove: neither unfinished snapshots nor the newest one.
        const answered = refsOf(answers);
        const newest = newestOf(answered);
        const going = answered.filter((ref) => ref !== newest && !removed.has(ref));
        for (const ref of going) removed.add(ref);
        await Promise.all(removers.map((remover) => remover.remove(going)));
      }
    })();
    await Promise.allSettled([taking, removing]);
    await Promise.all([taking, removing]);
    const listed = await removers[0].list();
    const lost = refsOf(answers).filter((ref) => !removed.has(ref) && !listed.includes(ref));
    assert.deepEqual({ lost, failures: failuresOf(answers) }, { lost: [], failures: [] });
    assert.ok(removed.size > 0);
  });

  /** The snapshot that the next one is compared with. */
  function newestOf([ref]: readonly string[]): string | undefined {
    if (ref === undefined) return undefined;
    const file = `${disk.current.folder}/.ah-snapshots/${path.dirname(ref)}/newest`;
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
  }

  it('are removed as soon as no process compares them', async () => {
    const workspace = disk.current.folderOf('home/project');
    const provider = await open(workspace);
    const first = await take(provider, 'first');
    // More differences than a pipe holds, so that the comparison blocks until they are read.
    for (let count = 0; count < 1000; count++)
      fs.writeFileSync(`${workspace}/${count}${'x'.repeat(200)}`, '');
    const second = await take(provider, 'second');
    const folders = [first, second].map(
      (ref) => `${disk.current.folder}/.ah-snapshots/${ref}/files`,
    );
    const comparing = spawn('btrfs', ['send', '--no-data', '-p', ...folders], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const compared = once(comparing, 'close');
    try {
      await once(comparing.stdout, 'readable');
      let isRemoved = false;
      const removing = provider.remove([first]).then(() => (isRemoved = true));
      await sleep(COMPARING_MS);
      assert.equal(isRemoved, false);
      comparing.stdout.resume();
      await removing;
      assert.deepEqual(await provider.list(), [second]);
    } finally {
      comparing.kill('SIGKILL');
      await compared;
    }
  });
});
