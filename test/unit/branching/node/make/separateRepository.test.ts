import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { CopiedFolder } from '../../../../../src/branching/node/make/copiedFolder.ts';
import { separateRepository } from '../../../../../src/branching/node/make/separateRepository.ts';
import { filesOnDisk, fingerprint, userGit } from '../../../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

/** Exact copies, like those of Btrfs and ZFS, whose git pointers still lead to the original. */
describe('a copy of a folder with repositories', () => {
  const folder = useTemporaryFolder();
  let original = '';
  let copy = '';

  beforeEach(async () => {
    original = path.join(folder.path, 'original');
    copy = path.join(folder.path, 'copy');
    await repository(original);
  });

  async function repository(at: string): Promise<void> {
    mkdirSync(at, { recursive: true });
    await userGit(at, 'init', '-q');
    writeFileSync(path.join(at, 'a.txt'), 'a\n');
    await userGit(at, 'add', '.');
    await userGit(at, 'commit', '-qm', 'first');
  }

  function separated(from = original, within = ''): Promise<string[]> {
    execFileSync('cp', ['-a', from, copy]);
    const originals = [path.join(from, within)];
    return separateRepository(new CopiedFolder(copy, path.join(copy, within), originals));
  }

  /** Commits in the copy, and checks that the original does not change. */
  async function commitAlone(within: string, from = original): Promise<void> {
    const before = { git: fingerprint(from), files: filesOnDisk(from) };
    const place = path.join(copy, within);
    const head = await userGit(place, 'rev-parse', 'HEAD');
    assert.equal((await userGit(place, 'rev-parse', '--show-toplevel')).trim(), place);
    writeFileSync(path.join(place, 'new.txt'), 'of the branch\n');
    await userGit(place, 'add', '.');
    await userGit(place, 'commit', '-qm', 'of the branch');
    assert.notEqual(await userGit(place, 'rev-parse', 'HEAD'), head);
    assert.deepEqual({ git: fingerprint(from), files: filesOnDisk(from) }, before);
  }

  for (const place of ['.worktrees/x', '.claude/worktrees/x', 'deep/down/there/x']) {
    it(`has a linked working tree of its own in ${place}`, async () => {
      await userGit(original, 'worktree', 'add', '-q', place, '-b', 'xb');
      assert.deepEqual(await separated(), []);
      await commitAlone(place);
      await commitAlone('');
      const listed = await userGit(copy, 'worktree', 'list', '--porcelain');
      assert.deepEqual(
        [...listed.matchAll(/^worktree (.*)$/gm)].map(([, at]) => at),
        [copy, path.join(copy, place)],
      );
      await userGit(copy, 'worktree', 'remove', place);
      assert.ok(existsSync(path.join(original, place, 'a.txt')));
    });
  }

  it('has the working trees of a repository inside of it', async () => {
    await repository(path.join(original, 'tool'));
    await userGit(path.join(original, 'tool'), 'worktree', 'add', '-q', '../tool-x', '-b', 'xb');
    assert.deepEqual(await separated(), []);
    await commitAlone('tool-x');
    await commitAlone('tool');
  });

  it('has working trees beside a bare repository that a file points to', async () => {
    const bare = path.join(folder.path, 'bare');
    mkdirSync(bare);
    await userGit(original, 'clone', '-q', '--bare', original, path.join(bare, '.bare'));
    writeFileSync(path.join(bare, '.git'), 'gitdir: ./.bare\n');
    await userGit(bare, 'worktree', 'add', '-q', 'trees/x', '-b', 'xb');
    assert.deepEqual(await separated(bare), []);
    await commitAlone('trees/x', bare);
  });

  for (const spelling of ['relative', 'absolute']) {
    it(`has its submodules, also in working trees, by ${spelling} paths`, async () => {
      const module = path.join(folder.path, 'module');
      await repository(module);
      const add = ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q'];
      await userGit(original, ...add, module, 'libs/module');
      await userGit(original, 'commit', '-qm', 'module');
      const sub = path.join(original, 'libs/module');
      if (spelling === 'absolute') {
        // Names the folders by absolute paths, as git before 1.7.10 did.
        const gitDir = path.join(original, '.git/modules/libs/module');
        writeFileSync(path.join(sub, '.git'), `gitdir: ${gitDir}\n`);
        await userGit(gitDir, 'config', '--file', `${gitDir}/config`, 'core.worktree', sub);
      }
      await userGit(sub, 'worktree', 'add', '-q', '../module-x', '-b', 'xb');
      assert.deepEqual(await separated(), []);
      await commitAlone('libs/module');
      await commitAlone('libs/module-x');
    });
  }

  it('is independent of the folder that core.worktree names', async () => {
    await userGit(original, 'config', 'core.worktree', original);
    assert.deepEqual(await separated(), []);
    await commitAlone('');
  });

  it('is independent even if core.worktree is on the line of its section', async () => {
    appendFileSync(path.join(original, '.git/config'), `[core] worktree = ${original}\n`);
    assert.deepEqual(await separated(), []);
    await commitAlone('');
  });

  it('has its own repository if a link points to the original’s', async () => {
    renameSync(path.join(original, '.git'), path.join(original, 'kept'));
    symlinkSync(path.join(original, 'kept'), path.join(original, '.git'));
    assert.deepEqual(await separated(), []);
    assert.equal(readlinkSync(path.join(copy, '.git')), path.join(copy, 'kept'));
    writeFileSync(path.join(original, '.git/info/exclude'), 'kept\n');
    await commitAlone('');
  });

  it('of a volume is independent even if the workspace is only a part of it', async () => {
    await repository(path.join(original, 'mono'));
    mkdirSync(path.join(original, 'mono/part'));
    await userGit(path.join(original, 'mono'), 'worktree', 'add', '-q', '../side', '-b', 'xb');
    assert.deepEqual(await separated(original, 'mono/part'), []);
    await commitAlone('side');
    await commitAlone('mono');
  });

  it('drops pointers to other places with a warning, and changes nothing there', async () => {
    const elsewhere = path.join(folder.path, 'elsewhere');
    await repository(elsewhere);
    for (const name of ['one', '.worktrees/two'])
      await userGit(elsewhere, 'worktree', 'add', '-q', path.join(original, name), '--detach');
    mkdirSync(path.join(folder.path, 'linked'));
    const linked = path.join(folder.path, 'linked/three');
    await userGit(elsewhere, 'worktree', 'add', '-q', linked, '--detach');
    symlinkSync(path.join(folder.path, 'linked'), path.join(original, 'worktrees'));
    const before = fingerprint(elsewhere);
    const said = await separated();
    assert.deepEqual(said.map((sentence) => sentence.split(' ', 1)[0]).sort(), [
      '.worktrees/two',
      'one',
    ]);
    assert.match(said.join('\n'), /is not a git working tree/);
    for (const name of ['one', '.worktrees/two']) {
      assert.ok(!existsSync(path.join(copy, name, '.git')));
      assert.ok(existsSync(path.join(copy, name, 'a.txt')));
    }
    assert.ok(existsSync(path.join(linked, '.git')), 'nothing is done through a link');
    assert.deepEqual(fingerprint(elsewhere), before);
  });

  it('does not change working trees of the original elsewhere', async () => {
    const outside = path.join(folder.path, 'outside');
    await userGit(original, 'worktree', 'add', '-q', outside, '-b', 'xb');
    const before = readFileSync(path.join(outside, '.git'), 'utf8');
    assert.deepEqual(await separated(), []);
    assert.equal(readFileSync(path.join(outside, '.git'), 'utf8'), before);
    await commitAlone('');
  });

  it('shares no HEAD or index with an original that is a worktree of another folder', async () => {
    const tree = path.join(folder.path, 'tree');
    await userGit(original, 'worktree', 'add', '-q', tree);
    const [warning] = await separated(tree);
    assert.match(warning ?? '', /The branch has the files but is not a git working tree/);
    assert.ok(!existsSync(path.join(copy, '.git')));
    // The folder itself may be a worktree, as a branch of git snapshots is.
    const own = new CopiedFolder(tree, tree, [original]);
    assert.deepEqual(await separateRepository(own), [], 'one of its own stays');
    assert.ok(existsSync(path.join(tree, '.git')));
  });
});
