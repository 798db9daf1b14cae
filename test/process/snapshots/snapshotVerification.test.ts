import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../src/base/clock.ts';
import { SnapshotVerifier } from '../../../src/snapshots/node/verify/snapshotVerifier.ts';
import { WorkspaceWatcher } from '../../../src/snapshots/node/watch/workspaceWatcher.ts';
import { nodeFiles } from '../../../src/platform/node/files/files.ts';
import { SystemClock } from '../../../src/platform/node/systemClock.ts';
import type { SnapshotProvider } from '../../../src/snapshots/common/provider.ts';
import { openReal, take } from '../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

/** Longer than a clock tick of a file system. */
const TICK_MS = 20;
/** A busy machine may deliver events late, but rarely. */
const ATTEMPTS = 20;

describe('the verification of snapshots, with real files and a real watcher', () => {
  const folder = useTemporaryFolder();
  let workspace = '';
  let provider: SnapshotProvider;
  let watcher: WorkspaceWatcher;
  /** Whether events of the watcher are delivered. */
  let isDeaf = false;

  beforeEach(async () => {
    isDeaf = false;
    workspace = path.join(folder.path, 'w');
    mkdirSync(path.join(workspace, 'src/deep'), { recursive: true });
    for (const name of ['src/a', 'src/deep/b', 'top']) put(name, name);
    provider = await openReal(workspace, path.join(folder.path, 'storage'));
    watcher = (await WorkspaceWatcher.start(workspace, path.join(folder.path, 'marks')))!;
    await settled();
    await take(provider);
  });
  afterEach(() => {
    watcher.dispose();
    provider.dispose();
  });

  function put(name: string, content: string): void {
    writeFileSync(path.join(workspace, name), content);
  }

  /** Waits for pending events. */
  async function catchUp(): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await watcher.catchUp()) return true;
    }
    return false;
  }

  async function settled(): Promise<void> {
    assert.ok(await catchUp(), 'the watcher tells of all changes');
    await sleep(TICK_MS);
  }

  /**
   * Returns what the verification finds missing in an incremental snapshot without reported
   * changes.
   */
  async function verify(before: () => void, after: () => void): Promise<readonly string[]> {
    before();
    await settled();
    const system = new SystemClock();
    let look = (): void => {};
    const clock: Clock = {
      nowNs: () => system.nowNs(),
      schedule: (_delayMs, callback) => {
        look = callback;
        return { dispose: () => {} };
      },
    };
    let answer: (missed: readonly string[]) => void = () => {};
    const verification = new Promise<readonly string[]>((resolve) => (answer = resolve));
    const stat = (file: string) => nodeFiles.stat(file);
    const parts = { provider: Promise.resolve(provider), clock, stat, catchUp };
    const verifier = new SnapshotVerifier(parts, (missed) => answer(missed));
    const listening = watcher.onDidChange((paths) => {
      if (!isDeaf) verifier.tell(paths);
    });
    try {
      verifier.begin();
      const startedNs = clock.nowNs();
      const taken = await take(provider, []);
      assert.equal(taken.isPartial, true);
      verifier.note(taken, startedNs);
      await settled();
      after();
      look();
      return await verification;
    } finally {
      listening.dispose();
      verifier.dispose();
    }
  }

  const nothing = () => {};

  it('finds a folder that was removed without an event', async () => {
    const remove = () => rmSync(path.join(workspace, 'src'), { recursive: true });
    assert.deepEqual(await verify(remove, nothing), ['src/a', 'src/deep/b']);
  });

  it('finds unnoticed additions and deletions beside reported changes in the same folders', async () => {
    const missed = await verify(
      () => {
        put('new', 'new');
        put('src/a', 'other');
        rmSync(path.join(workspace, 'src/deep/b'));
      },
      () => {
        put('src/deep/later', 'later');
        put('src/later', 'later');
        put('later', 'later');
      },
    );
    assert.deepEqual(missed, ['new', 'src/a', 'src/deep/b']);
  });

  it('finds nothing missing after folders were moved, replaced, removed and created', async () => {
    mkdirSync(path.join(folder.path, 'outside/in'), { recursive: true });
    writeFileSync(path.join(folder.path, 'outside/in/x'), 'x');
    mkdirSync(path.join(workspace, 'old'));
    put('old/c', 'c');
    await take(provider);
    const missed = await verify(nothing, () => {
      renameSync(path.join(workspace, 'src'), path.join(workspace, 'lib'));
      renameSync(path.join(folder.path, 'outside'), path.join(workspace, 'outside'));
      rmSync(path.join(workspace, 'old'), { recursive: true });
      mkdirSync(path.join(workspace, 'old'));
      put('old/c', 'another');
      const content = readFileSync(path.join(workspace, 'top'));
      rmSync(path.join(workspace, 'top'));
      put('top', `${content.toString()}, again`);
    });
    assert.deepEqual(missed, []);
  });

  it('does not trust a silent watcher, whatever the times are', async () => {
    isDeaf = true;
    const missed = await verify(nothing, () => put('top', 'changed after the snapshot'));
    assert.deepEqual(missed, ['top']);
  });
});
