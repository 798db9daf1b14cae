import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../../../src/base/errors.ts';
import {
  ignoredPaths,
  isInRepository,
} from '../../../../../src/branching/node/carry/ignoredPaths.ts';
import { userGit } from '../../../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const { signal } = new AbortController();

describe('the files that git ignores in a folder', () => {
  const place = useTemporaryFolder();
  const at = (name: string) => path.join(place.path, name);
  const ignored = async (...paths: string[]) => {
    const found = await ignoredPaths({ folder: place.path, top: place.path }, paths, signal);
    return [...found].sort();
  };

  async function repository(folder: string, rules: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    await userGit(folder, 'init', '-q');
    writeFileSync(path.join(folder, '.gitignore'), rules);
    await userGit(folder, 'add', '.');
    await userGit(folder, 'commit', '-qm', 'first');
  }

  it('are found by the innermost repository, also beside a submodule', async () => {
    await repository(at(''), '.env\nbuild/\n');
    await repository(at('sub'), '*.log\n');
    await userGit(place.path, 'add', 'sub');
    await userGit(place.path, 'commit', '-qm', 'with a submodule');
    const asked = ['a', '.env', 'build/out.js', 'sub/m.txt', 'sub/x.log', 'sub/.env', '\udcff.txt'];
    assert.deepEqual(await ignored(...asked), ['.env', 'build/out.js', 'sub/x.log']);
    assert.deepEqual(await ignored('a', 'sub/m.txt'), []);
  });

  it('include nested repositories in ignored folders', async () => {
    await repository(at(''), 'vendor/\n');
    await repository(at('vendor/lib'), '');
    await repository(at('vendor/lib/inner'), '');
    const asked = ['vendor/lib/a', 'vendor/lib/inner/b', 'c'];
    assert.deepEqual(await ignored(...asked), [
      'vendor/lib',
      'vendor/lib/a',
      'vendor/lib/inner',
      'vendor/lib/inner/b',
    ]);
  });

  it('include nothing below a link, nor in place of a removed submodule', async () => {
    await repository(at(''), '*.log\n');
    await repository(at('sub'), '');
    await userGit(place.path, 'add', 'sub');
    rmSync(at('sub/.git'), { recursive: true });
    symlinkSync('elsewhere', at('link'));
    const asked = ['link/a.log', 'sub/a.log', 'sub/deep/b.log', 'c.log'];
    assert.deepEqual(await ignored(...asked), ['c.log']);
  });

  it('are none without a repository', async () => {
    await repository(at(''), '*.log\n');
    const folder = at('copy/part');
    mkdirSync(folder, { recursive: true });
    const outside = { folder, top: at('copy') };
    assert.ok(!isInRepository(outside));
    assert.deepEqual([...(await ignoredPaths(outside, ['a.log'], signal))], []);
    const inside = { folder, top: place.path };
    assert.ok(isInRepository(inside));
    assert.deepEqual([...(await ignoredPaths(inside, ['a.log', 'b'], signal))], ['a.log']);
  });

  it('cause an error if git fails', async () => {
    await repository(at(''), '*.log\n');
    writeFileSync(at('.git/index'), 'damaged');
    await assert.rejects(ignored('a.log'), (error: unknown) => {
      assert.ok(error instanceof UserError);
      assert.match(error.message, /git can't list the ignored files of .*index/);
      return true;
    });
  });
});
