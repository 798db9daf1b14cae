import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nodeExec } from '../../../../../src/platform/node/processes/exec.ts';
import type { SnapshotProvider } from '../../../../../src/snapshots/common/provider.ts';
import {
  filesInTree,
  filesOnDisk,
  fingerprint,
  openReal,
  take,
  userGit,
} from '../../../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('git snapshots: incomplete or moved repositories', () => {
  const folder = useTemporaryFolder();
  const signal = new AbortController().signal;
  let workspace = '';
  let provider: SnapshotProvider | undefined;

  beforeEach(() => {
    workspace = path.join(folder.path, 'work');
    provider = undefined;
  });
  afterEach(() => provider?.dispose());

  async function put(name: string, content: string, at = workspace): Promise<void> {
    const file = path.join(at, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  async function repository(at: string, ...init: string[]): Promise<void> {
    await mkdir(at, { recursive: true });
    await userGit(at, 'init', '-q', ...init);
    await put('in/a', 'one\n', at);
    await put('out/b', 'one\n', at);
    await commit(at);
  }

  async function commit(at: string): Promise<void> {
    await userGit(at, 'add', '.');
    await userGit(at, 'commit', '-q', '-m', 'x');
  }

  /** Takes a snapshot, which has all files and touches no repository. */
  async function takeWhole(changed?: string[]) {
    provider ??= await openReal(workspace, path.join(folder.path, 'storage'));
    const before = fingerprint(path.join(workspace, '.git'));
    const taken = await take(provider, changed);
    assert.deepEqual(fingerprint(path.join(workspace, '.git')), before, 'it was touched');
    const found = await filesInTree(await provider.open(taken.ref));
    const ordered = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1);
    assert.deepEqual([...found].sort(ordered), [...filesOnDisk(workspace)].sort(ordered));
    return taken;
  }

  async function cloneHead(ref: string): Promise<string> {
    const destination = path.join(folder.path, 'clone');
    const clone = await provider!.clone({ ref, destination, name: 'c', signal });
    const head = await userGit(clone.workspace, 'rev-parse', 'HEAD');
    await provider!.removeClone(destination);
    return head.trim();
  }

  for (const [filter, lacks] of [
    ['blob:none', 'staged contents'],
    ['tree:0', 'the folders of HEAD'],
  ] as const) {
    it(`stores a partial clone that lacks ${lacks}, reports that, and fetches nothing`, async () => {
      const origin = path.join(folder.path, 'origin');
      await repository(origin);
      await userGit(origin, 'config', 'uploadpack.allowFilter', 'true');
      for (const name of ['in/a', 'out/b']) await put(name, 'two\n', origin);
      await commit(origin);
      const from = `file://${origin}`;
      await userGit(folder.path, 'clone', '-q', `--filter=${filter}`, '--sparse', from, 'work');
      // Like a git version without the setting that prevents fetching.
      provider = await openReal(workspace, path.join(folder.path, 'storage'), {
        exec: (program, args, options) => {
          const env = { ...options.env, GIT_NO_LAZY_FETCH: undefined };
          return nodeExec(program, args, { ...options, env });
        },
      });
      assert.deepEqual((await takeWhole()).omissions, []);
      await userGit(workspace, 'update-ref', 'HEAD', 'HEAD~1');
      const left = lacks === 'staged contents' ? [['.git', 'unreadable']] : [];
      for (const changed of [undefined, ['in/a']]) {
        const { omissions } = await takeWhole(changed);
        assert.deepEqual(
          omissions.map(({ path: name, reason }) => [name, reason]),
          left,
        );
      }
      await userGit(workspace, 'update-ref', 'HEAD', 'origin/HEAD');
      assert.deepEqual((await takeWhole([])).omissions, []);
    });
  }

  it('stores what a sparse index contains for a skipped file that exists', async () => {
    await repository(workspace);
    await userGit(workspace, 'sparse-checkout', 'set', 'in');
    await put('out/b', 'there\n');
    await takeWhole();
    // git itself does this at the next change of the index, and then shows the file as tracked.
    await userGit(workspace, 'update-index', '--no-skip-worktree', 'out/b');
    await rm(path.join(workspace, 'out'), { recursive: true });
    const { ref } = await takeWhole();
    const destination = path.join(folder.path, 'clone');
    const clone = await provider!.clone({ ref, destination, name: 'c', signal });
    const entries = ['--no-optional-locks', 'ls-files', '-v'];
    assert.equal(await userGit(workspace, ...entries), 'H in/a\nH out/b\n');
    assert.equal(await userGit(clone.workspace, ...entries), 'H in/a\nH out/b\n');
  });

  it("stores the files if git can't read its index, at the top and below", async () => {
    await repository(workspace);
    await repository(path.join(workspace, 'nested'));
    const whole = await takeWhole();
    for (const at of ['', 'nested']) await put(path.join(at, '.git/index'), 'no index');
    const { isUnchanged, omissions } = await takeWhole();
    assert.equal(isUnchanged, false);
    assert.deepEqual(omissions, []);
    await put('nested/new', 'new\n');
    await takeWhole(['nested/new']);
    assert.equal(
      await cloneHead(whole.ref),
      (await userGit(workspace, 'rev-parse', 'HEAD')).trim(),
    );
  });

  it('notices a commit if HEAD is a link, as in old repositories', async () => {
    await repository(workspace);
    await rm(path.join(workspace, '.git/HEAD'));
    symlinkSync('refs/heads/main', path.join(workspace, '.git/HEAD'));
    await takeWhole();
    await userGit(workspace, 'commit', '-q', '--allow-empty', '-m', 'empty');
    const { ref } = await takeWhole();
    assert.equal(await cloneHead(ref), (await userGit(workspace, 'rev-parse', 'HEAD')).trim());
  });

  it('notices that a `.git` file leads elsewhere now', async () => {
    const heads: string[] = [];
    for (const name of ['one', 'two']) {
      const main = path.join(folder.path, name);
      await repository(main);
      await put('own', name, main);
      await commit(main);
      await userGit(main, 'worktree', 'add', '-q', '--detach', `../tree-${name}`);
      heads.push((await userGit(main, 'rev-parse', 'HEAD')).trim());
    }
    workspace = path.join(folder.path, 'tree-one');
    const storage = path.join(folder.path, 'storage');
    provider = await openReal(workspace, storage);
    assert.equal(await cloneHead((await take(provider)).ref), heads[0]);
    const link = await readFile(path.join(folder.path, 'tree-two/.git'));
    await rm(path.join(folder.path, 'tree-two'), { recursive: true });
    // Overwrites the file in place, as `git worktree repair` does.
    await writeFile(path.join(workspace, '.git'), link);
    assert.equal(await cloneHead((await take(provider)).ref), heads[1]);
  });
});
