import assert from 'node:assert/strict';
import { lstatSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareSnapshots } from '../../../../../src/branching/common/compareSnapshots.ts';
import { nodeFiles } from '../../../../../src/platform/node/files/files.ts';
import type { SnapshotProvider } from '../../../../../src/snapshots/common/provider.ts';
import { applyRestore } from '../../../../../src/snapshots/common/restore/applyRestore.ts';
import { restoreSteps } from '../../../../../src/snapshots/common/restore/restoreSteps.ts';
import { openReal, take, userGit } from '../../../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('git snapshots: permissions', () => {
  const folder = useTemporaryFolder();
  const signal = new AbortController().signal;
  let workspace = '';
  let storage = '';
  let provider: SnapshotProvider;
  let clones = 0;

  beforeEach(async () => {
    workspace = path.join(folder.path, 'work');
    storage = path.join(folder.path, 'storage');
    await mkdir(workspace);
    await userGit(workspace, 'init', '-q');
    await put('plain.txt', 0o644);
    await put('run.sh', 0o755);
    await put('key.pem', 0o600);
    await put('priv/inner/read-only', 0o444);
    await chmod(path.join(workspace, 'priv'), 0o700);
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-q', '-m', 'first');
    provider = await openReal(workspace, storage);
  });
  afterEach(() => provider.dispose());

  async function put(name: string, mode: number): Promise<void> {
    const file = path.join(workspace, name);
    await mkdir(path.dirname(file), { recursive: true });
    await rm(file, { force: true });
    await writeFile(file, `${name}\n`);
    await chmod(file, mode);
  }

  async function reopen(more: { umask?: number } = {}): Promise<void> {
    provider.dispose();
    provider = await openReal(workspace, storage, more);
  }

  /** The permissions of all files and folders. */
  function modesIn(place: string): Record<string, string> {
    const all = readdirSync(place, { recursive: true, encoding: 'utf8' });
    const own = all.filter((name) => name !== '.git' && !name.startsWith('.git/')).sort();
    const modes = own.map((name) => {
      const { mode } = lstatSync(path.join(place, name));
      return [name, (mode & 0o7777).toString(8)] as const;
    });
    return Object.fromEntries(modes);
  }

  /** Checks that a clone and the snapshot have the permissions of the workspace. */
  async function expectModes(ref: string, expected = modesIn(workspace)): Promise<void> {
    const destination = path.join(folder.path, `clone${(clones += 1)}`);
    await provider.clone({ ref, destination, name: 'c', signal });
    assert.deepEqual(modesIn(destination), expected);
    assert.equal(await userGit(destination, 'diff', '--name-only', '--diff-filter=M'), '');
    await provider.removeClone(destination);
    const tree = await provider.open(ref);
    for (const [name, mode] of Object.entries(expected)) {
      const found = await tree.stat(name);
      if (found.kind !== 'symlink') assert.equal(found.mode?.toString(8), mode, name);
    }
  }

  it('are in the first snapshot, also for files as in HEAD', async () => {
    await expectModes((await take(provider)).ref);
  });

  it('follow changes, in full and incremental scans; each snapshot has those of its time', async () => {
    const first = await take(provider);
    const then = modesIn(workspace);
    await chmod(path.join(workspace, 'key.pem'), 0o644);
    await chmod(path.join(workspace, 'plain.txt'), 0o640);
    await chmod(path.join(workspace, 'priv'), 0o755);
    await chmod(path.join(workspace, 'priv/inner'), 0o750);
    const scanned = await take(provider);
    assert.equal(scanned.isUnchanged, false);
    await expectModes(scanned.ref);
    await put('new/secret/token', 0o600);
    await chmod(path.join(workspace, 'new/secret'), 0o700);
    await chmod(path.join(workspace, 'plain.txt'), 0o644);
    await expectModes((await take(provider, ['new', 'plain.txt'])).ref);
    await put('other/secret/token', 0o600);
    await chmod(path.join(workspace, 'other/secret'), 0o700);
    await rm(path.join(workspace, 'priv'), { recursive: true });
    const told = await take(provider, ['other/secret/token', 'priv']);
    await expectModes(told.ref);
    assert.equal((await take(provider)).isUnchanged, true, 'a scan says the same');
    await rm(path.join(workspace, 'new'), { recursive: true });
    await rm(path.join(workspace, 'other'), { recursive: true });
    await expectModes((await take(provider, ['new', 'other'])).ref);
    assert.equal((await take(provider)).isUnchanged, true, 'nothing unusual is left');
    await expectModes(first.ref, then);
  });

  it('are not lost between processes, comparisons and failed scans', async () => {
    await take(provider);
    await reopen();
    await chmod(path.join(workspace, 'plain.txt'), 0o600);
    await chmod(path.join(workspace, 'priv/inner'), 0o711);
    // Scans everything without taking a snapshot.
    await provider.diff((await provider.list())[0]!, 'workspace', signal);
    await expectModes((await take(provider)).ref);
    await chmod(path.join(workspace, 'run.sh'), 0o700);
    const stopped = new AbortController();
    provider.dispose();
    provider = await openReal(workspace, storage, {
      files: {
        ...nodeFiles,
        // Aborts when permissions are read: by then, the scan has updated our index.
        statAll: async (paths) => {
          if (paths.some((each) => each.endsWith('/run.sh'))) stopped.abort();
          return nodeFiles.statAll(paths);
        },
      },
    });
    await assert.rejects(take(provider, undefined, stopped.signal));
    await reopen();
    await expectModes((await take(provider)).ref);
  });

  it('changed in the second they were first seen are noticed', async () => {
    await sleep(1000 - (Date.now() % 1000));
    await chmod(path.join(workspace, 'plain.txt'), 0o640);
    await take(provider);
    await chmod(path.join(workspace, 'plain.txt'), 0o600);
    await expectModes((await take(provider)).ref);
  });

  /** @returns the paths that were restored */
  async function restore(wanted: string): Promise<string[]> {
    const now = await take(provider);
    const states = { present: await provider.open(now.ref), target: await provider.open(wanted) };
    const changes = await provider.diff(now.ref, wanted, signal);
    const steps = await restoreSteps(changes, states, signal);
    const parts = { ...states, workspace, files: nodeFiles, signal };
    const { done, skipped } = await applyRestore(steps, parts);
    assert.deepEqual(skipped, []);
    return done.map((step) => step.path);
  }

  it('are restored with deleted or changed files', async () => {
    const wanted = await take(provider);
    const expected = modesIn(workspace);
    await rm(path.join(workspace, 'key.pem'));
    await rm(path.join(workspace, 'priv'), { recursive: true });
    await put('plain.txt', 0o600);
    await writeFile(path.join(workspace, 'plain.txt'), 'other\n');
    await restore(wanted.ref);
    assert.deepEqual(modesIn(workspace), expected);
  });

  it('are a change by themselves, listed for files, and restored alone', async () => {
    const wanted = await take(provider);
    const expected = modesIn(workspace);
    const changed = ['key.pem', 'plain.txt', 'priv/inner/read-only'];
    for (const name of changed) await chmod(path.join(workspace, name), 0o640);
    await chmod(path.join(workspace, 'priv/inner'), 0o711);
    const paths = async (to: string) =>
      (await provider.diff(wanted.ref, to, signal)).map((change) => change.path);
    assert.deepEqual(await paths('workspace'), changed);
    const now = await take(provider);
    assert.deepEqual(await paths(now.ref), changed);
    const [before, after] = [await provider.open(wanted.ref), await provider.open(now.ref)];
    const compared = await compareSnapshots(before, after, signal);
    assert.deepEqual(
      compared.map((change) => change.path),
      changed,
    );
    assert.deepEqual((await restore(wanted.ref)).sort(), [...changed, 'priv/inner'].sort());
    assert.deepEqual(modesIn(workspace), expected);
    assert.deepEqual(await paths('workspace'), []);
  });

  it('are compared with those of a user with another umask', async () => {
    const first = await take(provider);
    await rm(path.join(storage, 'state.json'));
    await reopen({ umask: 0o027 });
    assert.deepEqual(await provider.diff(first.ref, 'workspace', signal), []);
    await chmod(path.join(workspace, 'plain.txt'), 0o640);
    const changes = await provider.diff(first.ref, 'workspace', signal);
    const permissions = { before: 0o644, after: 0o640 };
    assert.deepEqual(changes, [{ path: 'plain.txt', kind: 'modified', permissions }]);
  });

  it('count as changed if they are all the default of another umask', async () => {
    for (const name of ['key.pem', 'priv', 'run.sh'])
      await rm(path.join(workspace, name), { recursive: true });
    const first = await take(provider);
    await chmod(path.join(workspace, 'plain.txt'), 0o664);
    // Removes the known permissions, as a failed scan does.
    const file = path.join(storage, 'state.json');
    const { modes, ...rest } = JSON.parse(await readFile(file, 'utf8')) as { modes: unknown };
    assert.ok(modes);
    await writeFile(file, JSON.stringify(rest));
    await reopen({ umask: 0o002 });
    const second = await take(provider);
    assert.notEqual(second.ref, first.ref);
    await reopen();
    await expectModes(second.ref);
    const permissions = { before: 0o644, after: 0o664 };
    assert.deepEqual(await provider.diff(first.ref, second.ref, signal), [
      { path: 'plain.txt', kind: 'modified', permissions },
    ]);
  });

  it('are listed as changed with and without a content change', async () => {
    const first = await take(provider);
    await writeFile(path.join(workspace, 'plain.txt'), 'other\n');
    await chmod(path.join(workspace, 'plain.txt'), 0o600);
    await chmod(path.join(workspace, 'run.sh'), 0o644);
    await writeFile(path.join(workspace, 'key.pem'), 'other\n');
    const changes = await provider.diff(first.ref, (await take(provider)).ref, signal);
    assert.deepEqual(changes, [
      { path: 'key.pem', kind: 'modified' },
      { path: 'plain.txt', kind: 'modified', permissions: { before: 0o644, after: 0o600 } },
      { path: 'run.sh', kind: 'modified', permissions: { before: 0o755, after: 0o644 } },
    ]);
  });

  it('are the same for a user with another umask', async () => {
    await symlink('plain.txt', path.join(workspace, 'link'));
    // Takes the snapshot with the umask 027, by which 0640 is the default and 0644 is not.
    await put('group.txt', 0o640);
    await reopen({ umask: 0o027 });
    const { ref } = await take(provider);
    await reopen();
    await expectModes(ref);
  });

  it("of an unwritable folder don't prevent removing a clone", async () => {
    await chmod(path.join(workspace, 'priv'), 0o500);
    const expected = { ...modesIn(workspace), priv: '700' };
    await expectModes((await take(provider)).ref, expected);
  });

  it('cost nothing if all are the default', async () => {
    await rm(path.join(workspace, 'priv'), { recursive: true });
    await chmod(path.join(workspace, 'key.pem'), 0o644);
    const { ref } = await take(provider);
    const store = path.join(storage, 'store.git');
    const listed = await userGit(store, 'ls-tree', '--name-only', ref.split('@')[1]!);
    assert.deepEqual(listed.trim().split('\n'), ['files', 'repositories', 'snapshot.json']);
    await userGit(store, 'fsck', '--full', '--no-dangling');
  });
});
