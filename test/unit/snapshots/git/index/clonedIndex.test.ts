import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nodeObjectCoding } from '../../../../../src/snapshots/node/open/objectCoding.ts';
import { withTimesOf } from '../../../../../src/snapshots/git/index/indexTimes.ts';
import { indexOf, openReal, take, userGit } from '../../../../support/git/gitWorkspace.ts';
import { Random } from '../../../../support/random.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const { signal } = new AbortController();
const ways = { coding: nodeObjectCoding, format: 'sha1' } as const;

/**
 * A clone's index has the times of the written files: git finds differences without reading all
 * files.
 */
describe('git snapshots: the index of a clone', () => {
  const folder = useTemporaryFolder();
  let workspace = '';

  beforeEach(async () => {
    workspace = path.join(folder.path, 'wörk');
    await mkdir(workspace);
  });

  async function put(name: string, content: string): Promise<void> {
    const file = path.join(workspace, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  async function fill(...init: string[]): Promise<void> {
    await userGit(workspace, 'init', '-q', ...init);
    for (let number = 0; number < 40; number++) await put(`d${number % 7}/f${number}`, `${number}`);
    await put('run me', '#!/bin/sh\n');
    await chmod(path.join(workspace, 'run me'), 0o755);
    await symlink('d0', path.join(workspace, 'link'));
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'first');
    await put('d1/f1', 'changed');
    await put('staged', 'staged');
    await userGit(workspace, 'add', 'staged');
    await put('staged', 'changed since');
    await rm(path.join(workspace, 'd2/f2'));
    await chmod(path.join(workspace, 'd3/f3'), 0o755);
    await put('new', 'new');
  }

  const EXPECTED = ['d1/f1', 'd2/f2', 'd3/f3', 'staged'];

  /**
   * Lists the files that differ by their times in the index, without reading them, as some scripts
   * do.
   */
  async function differing(clone: string): Promise<string[]> {
    return (await userGit(clone, 'diff-files', '--name-only')).trim().split('\n');
  }

  async function cloned(): Promise<string> {
    const provider = await openReal(workspace, path.join(folder.path, 'storage'));
    try {
      const { ref } = await take(provider);
      const destination = path.join(folder.path, 'clone');
      await provider.clone({ ref, destination, name: 'clone', signal });
      return destination;
    } finally {
      provider.dispose();
    }
  }

  async function expectSame(clone: string): Promise<void> {
    assert.equal(await indexOf(clone), await indexOf(workspace));
    const status = ['status', '--porcelain=v2', '--untracked-files=all'];
    assert.equal(await userGit(clone, ...status), await userGit(workspace, ...status));
    await userGit(clone, 'fsck', '--no-dangling', '--connectivity-only');
  }

  for (const [what, ...settings] of [
    ['version 2'],
    ['version 3', 'intent'],
    ['version 4', 'index.version=4'],
    ['with an untracked cache', 'core.untrackedCache=true'],
    ['that is split', 'core.splitIndex=true'],
    ['without a checksum', 'index.skipHash=true'],
    ['with many threads', 'index.threads=8'],
  ] as const) {
    it(`${what} has the times of the clone’s own files`, async () => {
      await fill();
      if (settings[0] === 'intent') {
        await userGit(workspace, 'add', '--intent-to-add', 'new');
      } else if (settings[0]) {
        const [name = '', value = ''] = settings[0].split('=');
        await userGit(workspace, 'config', name, value);
        await userGit(workspace, 'update-index', '--force-write-index');
        await userGit(workspace, 'status');
      }
      const clone = await cloned();
      const more = settings[0] === 'intent' ? ['new'] : [];
      assert.deepEqual((await differing(clone)).sort(), [...EXPECTED, ...more].sort());
      await expectSame(clone);
    });
  }

  it('with objects of SHA-256 has the times of the clone’s own files', async () => {
    await fill('--object-format=sha256');
    const clone = await cloned();
    assert.deepEqual(await differing(clone), EXPECTED);
    await expectSame(clone);
  });

  it('treats files converted by settings as unchanged', async () => {
    await userGit(workspace, 'init', '-q');
    await userGit(workspace, 'config', 'core.autocrlf', 'true');
    await put('lines', 'a\r\nb\r\n');
    await put('other', 'a\r\nb\r\n');
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'first');
    await put('other', 'a\r\nc\r\n');
    const clone = await cloned();
    assert.deepEqual(await differing(clone), ['other']);
    await expectSame(clone);
  });

  it('treats files converted by attributes as unchanged', async () => {
    await userGit(workspace, 'init', '-q');
    await put('.gitattributes', '*.txt text eol=crlf\n');
    await put('lines.txt', 'a\r\nb\r\n');
    await put('other.txt', 'a\r\nb\r\n');
    await put('plain', 'a\n');
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'first');
    await put('other.txt', 'a\r\nc\r\n');
    await put('plain', 'b\n');
    const clone = await cloned();
    assert.deepEqual(await differing(clone), ['other.txt', 'plain']);
    await expectSame(clone);
  });

  it('of a nested repository, also in a git worktree of it, has the times of its own files', async () => {
    await fill();
    await userGit(workspace, 'worktree', 'add', '-q', '--detach', 'trees/second');
    await put('trees/second/d1/f1', 'changed there');
    const clone = await cloned();
    assert.deepEqual(await differing(clone), EXPECTED);
    const second = path.join(clone, 'trees/second');
    assert.deepEqual(await differing(second), ['d1/f1']);
    const places = [clone, second].map((each) => readFileSync(path.join(each, '.git'), 'utf8'));
    assert.notEqual(places[0], places[1]);
    assert.equal(await userGit(second, 'status', '--porcelain'), ' M d1/f1\n');
  });

  it('is left to git if it is damaged, without other effects', async () => {
    await fill();
    const index = new Uint8Array(readFileSync(path.join(workspace, '.git/index')));
    assert.ok(withTimesOf(index.slice(), index, '', ways));
    const random = new Random(7);
    for (let run = 0; run < 3000; run++) {
      const damaged = index.slice(
        0,
        random.below(4) === 0 ? random.below(index.length) : undefined,
      );
      for (let count = random.below(4); count >= 0 && damaged.length > 0; count--) {
        damaged[random.below(damaged.length)] = random.below(256);
      }
      assert.doesNotThrow(() => withTimesOf(damaged.slice(), index, '', ways));
      assert.doesNotThrow(() => withTimesOf(index.slice(), damaged, '', ways));
    }
    // What is left of the user's index is still valid.
    const { bytes } = withTimesOf(index.slice(), index, 'nowhere/', ways)!;
    writeFileSync(path.join(workspace, '.git/index'), bytes);
    assert.equal((await userGit(workspace, 'ls-files')).trim().split('\n').length, 43);
  });
});
