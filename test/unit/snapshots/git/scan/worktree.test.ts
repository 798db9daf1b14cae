import assert from 'node:assert/strict';
import { lstatSync, readdirSync } from 'node:fs';
import { chmod, mkdir, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

describe('git snapshots: the files', () => {
  const folder = useTemporaryFolder();
  let workspace = '';
  let provider: SnapshotProvider;

  beforeEach(async () => {
    workspace = path.join(folder.path, 'work');
    await mkdir(workspace);
    await userGit(workspace, 'init', '-q');
    await put('tracked.txt', 'one\n');
    await put('src/deep/a.ts', 'a\n');
    await put('run.sh', '#!/bin/sh\n');
    await chmod(path.join(workspace, 'run.sh'), 0o755);
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-q', '-m', 'first');
    provider = await openReal(workspace, path.join(folder.path, 'storage'));
  });
  afterEach(() => provider.dispose());

  async function put(name: string, content: string | Uint8Array): Promise<void> {
    const file = path.join(workspace, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  async function expectWhole(ref: string): Promise<void> {
    assert.deepEqual(
      sorted(await filesInTree(await provider.open(ref))),
      sorted(filesOnDisk(workspace)),
    );
  }

  it('include tracked and untracked files, modes, links and deletions, and touch nothing', async () => {
    await put('untracked.txt', 'new\n');
    await symlink('tracked.txt', path.join(workspace, 'link'));
    await symlink('/nowhere', path.join(workspace, 'dangling'));
    await unlink(path.join(workspace, 'src/deep/a.ts'));
    await chmod(path.join(workspace, 'run.sh'), 0o644);
    const before = fingerprint(path.join(workspace, '.git'));
    const { ref, isUnchanged, omissions } = await take(provider);
    assert.equal(isUnchanged, false);
    assert.deepEqual(omissions, []);
    await expectWhole(ref);
    assert.deepEqual(fingerprint(path.join(workspace, '.git')), before);
  });

  it('include empty folders, in full and incremental scans, and clones create them', async () => {
    const folders = async (ref: string) => {
      const tree = await provider.open(ref);
      const found: string[] = [];
      const visit = async (at: string): Promise<void> => {
        const entries = await tree.list(at);
        if (entries.length === 0) found.push(at);
        for (const { name, kind } of entries)
          if (kind === 'folder') await visit(at ? `${at}/${name}` : name);
      };
      await visit('');
      return found.sort();
    };
    await put('.gitignore', 'ignored/\n*.log\n');
    for (const name of ['empty', 'some/where/deep', 'ignored/inside'])
      await mkdir(path.join(workspace, name), { recursive: true });
    const first = await take(provider);
    assert.deepEqual(await folders(first.ref), ['empty', 'some/where/deep']);
    assert.equal((await take(provider)).isUnchanged, true);
    await unlink(path.join(workspace, 'src/deep/a.ts'));
    await mkdir(path.join(workspace, 'told'));
    await put('empty/file', 'x');
    for (const changed of [['src/deep/a.ts', 'told', 'empty', 'empty/file'], undefined]) {
      const { ref } = await take(provider, changed);
      assert.deepEqual(await folders(ref), ['some/where/deep', 'src/deep', 'told']);
      await expectWhole(ref);
    }
    await rm(path.join(workspace, 'told'), { recursive: true });
    await put('some/where/deep/x.log', 'ignored: the folder is not empty');
    const { ref } = await take(provider, ['told', 'some/where/deep/x.log']);
    assert.deepEqual(await folders(ref), ['src/deep']);
    assert.equal((await take(provider)).isUnchanged, true, 'a scan says the same');
    const destination = path.join(folder.path, 'clone');
    const signal = new AbortController().signal;
    await provider.clone({ ref: first.ref, destination, name: 'clone', signal });
    assert.deepEqual(readdirSync(path.join(destination, 'empty')), []);
    assert.deepEqual(readdirSync(path.join(destination, 'some/where/deep')), []);
    for (const name of ['some', 'some/where', 'some/where/deep'])
      assert.equal(lstatSync(path.join(destination, name)).mode & 0o777, 0o755, name);
    await provider.removeClone(destination);
    await userGit(path.join(folder.path, 'storage/store.git'), 'fsck', '--full', '--no-dangling');
  });

  it('keep their bytes, whatever .gitattributes and settings say', async () => {
    await userGit(workspace, 'config', 'core.autocrlf', 'true');
    await userGit(workspace, 'config', 'filter.shout.clean', 'tr a-z A-Z');
    await userGit(workspace, 'config', 'filter.shout.smudge', 'tr A-Z a-z');
    await userGit(workspace, 'config', 'filter.shout.required', 'true');
    await put(
      '.gitattributes',
      '* text=auto eol=crlf\n*.up filter=shout\n*.id ident\n*.u16 working-tree-encoding=UTF-16\n*.bin binary\n',
    );
    await put('lines.txt', 'a\r\nb\nc\r\n');
    await put('x.up', 'lower case\n');
    await put('x.id', '$Id$\n$Id: 1234 $\n');
    await put('x.u16', 'not UTF-16 at all');
    await put('sub/.gitattributes', '* text eol=lf\n');
    await put('sub/lines.txt', 'a\r\nb\r\n');
    const { ref } = await take(provider);
    await expectWhole(ref);
    await put('sub/lines.txt', 'c\r\nb\r\n');
    await expectWhole((await take(provider, ['sub/lines.txt'])).ref);
  });

  it('may have names that are hard to write', async () => {
    for (const name of [
      'a b',
      '-dash',
      'new\nline',
      'tab\t',
      '"quoted"',
      'ünï ✓',
      ':(top)x',
      'back\\slash',
      '*',
      'e\u0301',
      'git~1',
    ])
      await put(name, name);
    const raw = Buffer.concat([Buffer.from(`${workspace}/raw-`), Buffer.from([0xff, 0xfe, 0x80])]);
    await writeFile(raw, 'raw');
    const { ref } = await take(provider);
    await expectWhole(ref);
    await writeFile(raw, 'raw again');
    await expectWhole((await take(provider)).ref);
  });

  it('need no new snapshot if nothing changed', async () => {
    const first = await take(provider);
    const second = await take(provider);
    assert.deepEqual([second.ref, second.isUnchanged], [first.ref, true]);
    await userGit(workspace, 'status');
    const third = await take(provider, []);
    assert.deepEqual([third.ref, third.isUnchanged], [first.ref, true]);
    await put('tracked.txt', 'two\n');
    const fourth = await take(provider);
    assert.equal(fourth.isUnchanged, false);
    await put('tracked.txt', 'one\n');
    assert.equal((await take(provider)).isUnchanged, false, 'not the one before');
    assert.deepEqual(await provider.list().then((refs) => refs.length), 3);
  });

  it('that change to the same size in the same instant are noticed', async () => {
    for (let round = 0; round < 10; round += 1) {
      await put('racy.txt', `a${round % 10}`);
      await take(provider);
      await put('racy.txt', `b${round % 10}`);
      await expectWhole((await take(provider, round % 2 === 0 ? ['racy.txt'] : undefined)).ref);
    }
  });

  /** Most git builds compare seconds: only our code notices a change within one. */
  async function untilASecondBegins(): Promise<void> {
    await sleep(1000 - (Date.now() % 1000));
  }

  it('that change without size or time in the same second are noticed', async () => {
    const file = path.join(workspace, 'packed.txt');
    const unpack = async (content: string) => {
      await writeFile(file, content);
      await utimes(file, 1e9, 1e9);
    };
    await untilASecondBegins();
    await unpack('aaaa');
    await sleep(50);
    await expectWhole((await take(provider)).ref);
    // Another process scans, and knows only what is on disk.
    provider.dispose();
    provider = await openReal(workspace, path.join(folder.path, 'storage'));
    await unpack('bbbb');
    await expectWhole((await take(provider)).ref);
    await expectWhole((await take(provider)).ref);
  });

  it('that change between reading and writing the index are noticed, among thousands', async () => {
    const file = path.join(workspace, 'many/500');
    for (let number = 0; number < 1200; number += 1) await put(`many/${number}`, 'aaaa');
    const unpack = async (content: string) => {
      await writeFile(file, content);
      await utimes(file, 1e9, 1e9);
    };
    provider.dispose();
    provider = await openReal(workspace, path.join(folder.path, 'storage'), {
      exec: async (program, args, options) => {
        if (!args.includes('--add')) return nodeExec(program, args, options);
        await untilASecondBegins();
        await unpack('bbbb');
        const result = await nodeExec(program, args, options);
        await unpack('cccc');
        return result;
      },
    });
    await expectWhole((await take(provider)).ref);
    await expectWhole((await take(provider)).ref);
  });

  it('may become folders and links, and files again', async () => {
    await take(provider);
    await rm(path.join(workspace, 'src'), { recursive: true });
    await put('src', 'a file now');
    await expectWhole((await take(provider, ['src'])).ref);
    await expectWhole((await take(provider)).ref);
    await rm(path.join(workspace, 'src'));
    await put('real/x', 'x');
    await symlink('real', path.join(workspace, 'src'));
    await expectWhole((await take(provider, ['src/x', 'real'])).ref);
    await expectWhole((await take(provider)).ref);
    await rm(path.join(workspace, 'src'));
    await put('src/deep/a.ts', 'again');
    await expectWhole((await take(provider, ['src/deep/a.ts'])).ref);
    await rename(path.join(workspace, 'src'), path.join(workspace, 'moved'));
    await expectWhole((await take(provider, ['src', 'moved'])).ref);
    await expectWhole((await take(provider)).ref);
  });

  it('are compared between two snapshots, and with the present', async () => {
    const signal = new AbortController().signal;
    await put('gone.txt', 'x');
    const first = await take(provider);
    await unlink(path.join(workspace, 'gone.txt'));
    await put('new/file', 'x');
    await put('tracked.txt', 'two\n');
    await unlink(path.join(workspace, 'run.sh'));
    await symlink('tracked.txt', path.join(workspace, 'run.sh'));
    const expected = [
      { path: 'gone.txt', kind: 'deleted' },
      { path: 'new/file', kind: 'added' },
      { path: 'run.sh', kind: 'type-changed' },
      { path: 'tracked.txt', kind: 'modified' },
    ];
    assert.deepEqual(await provider.diff(first.ref, 'workspace', signal), expected);
    assert.equal((await provider.list()).length, 1);
    const second = await take(provider);
    assert.deepEqual(await provider.diff(first.ref, second.ref, signal), expected);
    assert.deepEqual(await provider.diff(second.ref, 'workspace', signal), []);
  });
});

function sorted(files: Map<string, string>): [string, string][] {
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1));
}
