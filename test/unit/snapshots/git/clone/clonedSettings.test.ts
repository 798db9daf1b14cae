import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SnapshotProvider } from '../../../../../src/snapshots/common/provider.ts';
import {
  filesOnDisk,
  fingerprint,
  openReal,
  take,
  userGit,
} from '../../../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('git snapshots: settings of a git worktree, in a clone', () => {
  const folder = useTemporaryFolder();
  const signal = new AbortController().signal;
  let workspace = '';
  let provider: SnapshotProvider | undefined;

  beforeEach(async () => {
    // Any name must survive being written to a settings file.
    workspace = path.join(folder.path, 'wörk "a" #1;');
    await repository(workspace);
    const library = path.join(folder.path, 'library');
    await repository(library);
    await userGit(workspace, 'submodule', '--quiet', 'add', library, 'sub');
    await userGit(workspace, 'commit', '-q', '-m', 'sub');
    provider = undefined;
  });
  afterEach(() => provider?.dispose());

  async function repository(at: string): Promise<void> {
    for (const name of ['in', 'out']) {
      await mkdir(path.join(at, name), { recursive: true });
      await writeFile(path.join(at, name, 'a'), 'one\n');
    }
    await userGit(at, 'init', '-q');
    await userGit(at, 'add', '.');
    await userGit(at, 'commit', '-q', '-m', 'x');
  }

  async function clone(name: string): Promise<string> {
    provider ??= await openReal(workspace, path.join(folder.path, 'storage'));
    const { ref } = await take(provider);
    const destination = path.join(`${workspace}.branches`, name);
    return (await provider.clone({ ref, destination, name, signal })).workspace;
  }

  /** Everything in the original except what git worktrees share: added objects and stashes. */
  function original() {
    const git = fingerprint(path.join(workspace, '.git'));
    for (const name of git.keys()) {
      if (/(^|\/)(worktrees\/ah-|objects\/|(logs\/)?refs\/stash$)/.test(name)) git.delete(name);
    }
    return { files: filesOnDisk(workspace), git };
  }

  /** Checks that git works in the clone. */
  async function expectSeparate(tree: string): Promise<void> {
    assert.equal(await userGit(tree, 'rev-parse', '--show-toplevel'), `${tree}\n`);
    const before = original();
    await writeFile(path.join(tree, 'in/new'), 'new\n');
    await userGit(tree, 'add', '-A');
    assert.equal(await userGit(tree, 'status', '--porcelain'), 'A  in/new\n');
    await writeFile(path.join(tree, 'in/untracked'), 'new\n');
    await userGit(tree, 'stash', '-q', '-u');
    await writeFile(path.join(tree, 'in/untracked'), 'new\n');
    await userGit(tree, 'clean', '-fdq');
    assert.equal(await userGit(tree, 'status', '--porcelain'), '');
    await userGit(tree, 'reset', '-q', '--hard');
    assert.deepEqual(original(), before);
  }

  async function allowOwnSettings(at: string): Promise<void> {
    await userGit(at, 'config', 'extensions.worktreeConfig', 'true');
  }

  for (const [what, set] of [
    ['a sparse checkout', (sub: string) => userGit(sub, 'sparse-checkout', 'set', 'in')],
    ['settings of its own by hand', allowOwnSettings],
    [
      'both, and on one line',
      async (sub: string) => {
        await userGit(sub, 'sparse-checkout', 'set', 'in');
        const file = path.join(workspace, '.git/modules/sub/config.worktree');
        const said = '[core] worktree = ../../../nowhere\n[core] worktree = ../../../sub\n';
        await writeFile(file, `${said}[core] sparseCheckout = true\n`);
      },
    ],
  ] as const) {
    it(`work in the clone's folder, in a submodule with ${what}`, async () => {
      const sub = path.join(workspace, 'sub');
      await set(sub);
      assert.equal(await userGit(sub, 'rev-parse', '--show-toplevel'), `${sub}\n`);
      const one = await clone('one');
      assert.deepEqual(filesOnDisk(one), filesOnDisk(workspace));
      const sparse = ['config', '--default', '', 'core.sparseCheckout'];
      const expected = await userGit(sub, ...sparse);
      assert.equal(await userGit(path.join(one, 'sub'), ...sparse), expected);
      await expectSeparate(path.join(one, 'sub'));
    });
  }

  it("work in the clone's folder, in a submodule that gets its own settings later", async () => {
    const sub = path.join(workspace, 'sub');
    const [one, other] = [await clone('one'), await clone('other')];
    await allowOwnSettings(sub);
    await expectSeparate(path.join(one, 'sub'));
    await userGit(path.join(other, 'sub'), 'sparse-checkout', 'set', 'in');
    await expectSeparate(path.join(other, 'sub'));
    await expectSeparate(path.join(one, 'sub'));
  });

  it('leave those of the submodule alone when it is updated', async () => {
    const before = await clone('before');
    await userGit(path.join(workspace, 'sub'), 'sparse-checkout', 'set', 'in');
    const after = await clone('after');
    const then = original();
    for (const tree of [before, after]) {
      await userGit(tree, 'submodule', '--quiet', 'update');
      assert.deepEqual(original(), then);
      await expectSeparate(path.join(tree, 'sub'));
    }
  });

  it("work in the clone's folder if they name the original's", async () => {
    await userGit(workspace, 'config', 'core.worktree', workspace);
    await userGit(workspace, 'sparse-checkout', 'set', 'in');
    await expectSeparate(await clone('one'));
  });
});
