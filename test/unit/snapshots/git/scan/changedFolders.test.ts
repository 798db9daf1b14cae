import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  SnapshotProvider,
  SnapshotTree,
} from '../../../../../src/snapshots/common/provider.ts';
import { restoreSteps } from '../../../../../src/snapshots/common/restore/restoreSteps.ts';
import { openReal, take, userGit } from '../../../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('git snapshots: reported folders', () => {
  const folder = useTemporaryFolder();
  let workspace = '';
  let storage = '';
  let provider: SnapshotProvider;

  beforeEach(async () => {
    workspace = path.join(folder.path, 'w');
    storage = path.join(folder.path, 'storage');
    await mkdir(workspace);
    await userGit(workspace, 'init', '-q');
    provider = await openReal(workspace, storage, { limits: { maxFileBytes: 1000 } });
  });
  afterEach(() => provider.dispose());

  const put = (...names: string[]) => {
    for (const name of names) {
      mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
      writeFileSync(path.join(workspace, name), name);
    }
  };
  const make = (...names: string[]) => {
    for (const name of names) mkdirSync(path.join(workspace, name), { recursive: true });
  };
  const remove = (name: string) => rmSync(path.join(workspace, name), { recursive: true });

  /** The content and omissions of a snapshot. */
  const stateOf = async (changed?: readonly string[]) => {
    const { ref, omissions, isPartial = false } = await take(provider, changed);
    const folders = omissions.map(({ path: name }) => `${name}/`);
    // A folder stands for all its content; which of that is listed as well depends on the rest.
    const leftOut = omissions
      .filter(({ path: name }) => !folders.some((other) => name.startsWith(other)))
      .map(({ path: name, reason }) => `${reason} ${name}`);
    return { isPartial, leftOut, places: await placesIn(await provider.open(ref)) };
  };
  /**
   * Checks that an incremental scan of these paths equals a full scan, twice: the second scan
   * reuses what the first one found.
   */
  const assertAsScanned = async (
    told: readonly string[],
    { isPartial = true }: { isPartial?: boolean } = {},
  ) => {
    const first = await stateOf(told);
    const again = await stateOf([]);
    const { leftOut, places } = await stateOf();
    assert.deepEqual(first, { isPartial, leftOut, places }, `reported: ${told.join()}`);
    assert.deepEqual(again, { isPartial: true, leftOut, places }, 'nothing is reported');
    return leftOut;
  };

  it('lists ignored paths in them, and in their subfolders', async () => {
    writeFileSync(path.join(workspace, '.gitignore'), 'nm/\n*.o\n');
    put('nm/x/f', 'nm/x/y/f', 'src/a.c', 'src/a.o', 'src/in/b.c', 'src/in/b.o', 'o/x.o', 'o/p/y.o');
    await stateOf();
    const all = ['ignored nm', 'ignored o', 'ignored src/a.o', 'ignored src/in/b.o'];
    for (const told of ['nm', 'nm/x', 'nm/x/y', 'src', 'src/in', 'o', 'o/p'])
      assert.deepEqual(await assertAsScanned([told]), all);
    assert.deepEqual(await assertAsScanned(['src', 'nm/x', 'src/a.c', 'o/p', 'src/in']), all);
    put('new/lib/nm/f', 'new/lib/c.o', 'new/lib/c.c');
    const more = ['ignored new/lib/c.o', 'ignored new/lib/nm'];
    assert.deepEqual(await assertAsScanned(['new']), [...more, ...all]);
  });

  it('deletes none of these in a restore after the rules are gone', async () => {
    writeFileSync(path.join(workspace, '.gitignore'), 'out/\n*.o\n');
    put('a');
    await take(provider);
    put('out/lib/f', 'src/a.c', 'src/a.o');
    await take(provider, ['out', 'src']);
    put('a', 'src/a.c');
    const target = await take(provider, ['a', 'out', 'src']);
    assert.ok(target.isPartial);
    writeFileSync(path.join(workspace, '.gitignore'), '');
    const present = await take(provider);
    const { signal } = new AbortController();
    const steps = await restoreSteps(
      await provider.diff(present.ref, target.ref, signal),
      { present: await provider.open(present.ref), target: await provider.open(target.ref) },
      signal,
    );
    assert.deepEqual(steps, [{ path: '.gitignore', kind: 'change' }]);
  });

  it('enters no ignored folder, however large', async () => {
    writeFileSync(path.join(workspace, '.gitignore'), 'nm/\n');
    for (let number = 0; number < 210; number += 1) put(`nm/p${number}/f`, `src/nm/p${number}/f`);
    put('src/a');
    await stateOf();
    assert.deepEqual(await assertAsScanned(['nm', 'src']), ['ignored nm', 'ignored src/nm']);
  });

  it('follows rules that came with them, those for included ignored files, and forced files', async () => {
    writeFileSync(path.join(workspace, '.gitignore'), 'out/\n*.env\n*.log\n');
    put('a/b/one', 'a/b/two', 'out/forced', 'out/lib/x', 'a/forced.log', 'a/x.log', 'a/.env');
    await userGit(workspace, 'add', '-f', 'out/forced', 'a/forced.log');
    await userGit(workspace, 'config', '--add', 'ah.keepIgnored', '*.env');
    await stateOf();
    assert.deepEqual(await assertAsScanned(['a']), ['ignored a/x.log', 'ignored out/lib']);
    // Only a full scan finds out which files of this folder are tracked although they are ignored.
    await assertAsScanned(['out'], { isPartial: false });
    put('a/.env');
    writeFileSync(path.join(workspace, 'a/b/.gitignore'), 'two\n');
    await sleep(50);
    const leftOut = ['ignored a/b/two', 'ignored a/x.log', 'ignored out/lib'];
    assert.deepEqual(await assertAsScanned(['a']), leftOut);
  });

  it('lists pipes and large files further below', async () => {
    put('src/a', 'src/in/a', 'src/in/big');
    writeFileSync(path.join(workspace, 'src/in/big'), 'x'.repeat(1001));
    execFileSync('mkfifo', [path.join(workspace, 'src/in/pipe'), path.join(workspace, 'src/pipe')]);
    await stateOf();
    assert.deepEqual(await assertAsScanned(['src']), [
      'too-large src/in/big',
      'special src/in/pipe',
      'special src/pipe',
    ]);
  });

  it('includes empty folders, unless they are ignored', async () => {
    writeFileSync(path.join(workspace, '.gitignore'), 'nm/\n');
    put('a', 'old/nm/f', 'old/plain/f');
    await stateOf();
    make('nm', 'plain', 'new/nm');
    const told = await assertAsScanned(['nm', 'plain', 'new']);
    // A folder that contains only an ignored folder is listed as a whole.
    assert.deepEqual(told, ['ignored new', 'ignored nm', 'ignored old/nm']);
    remove('old/nm/f');
    remove('old/plain/f');
    assert.deepEqual(await assertAsScanned(['old/nm/f', 'old/plain/f']), told);
    // Here, the watcher reports the folder only by its file, and only after the file was deleted.
    put('fresh/kept', 'fresh/nm/f');
    await stateOf(['fresh/kept', 'fresh/nm/f']);
    remove('fresh/nm/f');
    assert.deepEqual(await assertAsScanned(['fresh/nm/f']), ['ignored fresh/nm', ...told]);
    remove('fresh');
    remove('nm');
    assert.deepEqual(await assertAsScanned(['nm', 'fresh']), [told[0], told[2]]);
  });

  it('leaves repositories in them to a full scan', async () => {
    put('a', 'deep/er/inner/x', 'deep/er/inner/x.o', 'broken/x/f');
    await stateOf();
    writeFileSync(path.join(workspace, 'deep/er/inner/.gitignore'), '*.o\n');
    await userGit(path.join(workspace, 'deep/er/inner'), 'init', '-q');
    await assertAsScanned(['deep'], { isPartial: false });
    make('broken/x/.git');
    await assertAsScanned(['broken'], { isPartial: false });
    put('deep/er/inner/in/y.o', 'deep/er/inner/in/y');
    assert.deepEqual(await assertAsScanned(['deep/er/inner/in']), [
      'ignored deep/er/inner/in/y.o',
      'ignored deep/er/inner/x.o',
    ]);
  });

  it('lists them in a subfolder of a repository, too', async () => {
    writeFileSync(path.join(workspace, '.gitignore'), '*.o\nnm/\n');
    put('part/src/a', 'part/src/a.o', 'part/src/nm/x/y/f');
    provider.dispose();
    provider = await openReal(path.join(workspace, 'part'), storage);
    await stateOf();
    for (const told of [['src'], ['src/nm/x/y'], ['src/nm', 'src/a']])
      assert.deepEqual(await assertAsScanned(told), ['ignored src/a.o', 'ignored src/nm']);
  });

  it('counts nothing twice if there are too many to list', async () => {
    provider.dispose();
    provider = await openReal(workspace, storage, { limits: { maxOmissions: 6 } });
    writeFileSync(path.join(workspace, '.gitignore'), '*.o\n');
    put('b/kept', 'd/kept');
    for (let number = 0; number < 5; number += 1) put(`b/${number}.o`, `d/${number}.o`);
    const counts = async (changed?: string[]) => {
      const { omissions, isPartial = false } = await take(provider, changed);
      const names = omissions.map(({ path: name, detail = '' }) => name || detail);
      return { isPartial, names: names.sort() };
    };
    const { names } = await counts();
    assert.ok(names.includes('and 4 more ignored paths'));
    for (const told of [['b'], ['d'], ['b', 'd'], ['d/1.o', 'd/4.o']])
      assert.deepEqual(await counts(told), { isPartial: true, names }, told.join());
    put('a/kept', 'a/0.o');
    const after = await counts(['a']);
    assert.deepEqual(after, { isPartial: true, names: (await counts()).names });
    assert.ok(after.names.includes('and 5 more ignored paths'));
  });

  it('counts exactly what appears and disappears beside a list that was cut', async () => {
    provider.dispose();
    provider = await openReal(workspace, storage, { limits: { maxOmissions: 6 } });
    writeFileSync(path.join(workspace, '.gitignore'), '*.o\n*.rare\n');
    put('b/kept', 'm/kept', 'z/kept', 'z/z.rare');
    for (let number = 0; number < 9; number += 1) put(`m/${number}.o`);
    const rest = async (changed?: string[]) => {
      const { omissions, isPartial = false } = await take(provider, changed);
      return [isPartial, omissions.find(({ path: name }) => name === '')?.detail];
    };
    const more = (count: number) => `and ${count} more ignored paths`;
    assert.deepEqual(await rest(), [false, more(4)]);
    // Counted without a name, though it is before the last name, which is that of a rare kind.
    assert.deepEqual(await rest(['m/8.o']), [true, more(4)]);
    put('z/new.o');
    assert.deepEqual(await rest(['z/new.o']), [true, more(5)]);
    for (const name of ['m/8.o', 'm/7.o']) rmSync(path.join(workspace, name));
    assert.deepEqual(await rest(['m/8.o', 'm/7.o']), [true, more(3)]);
    assert.deepEqual(await rest(), [false, more(3)], 'as a scan of everything counts');
  });
});

/** All files and empty folders of it. */
async function placesIn(tree: SnapshotTree, folder = ''): Promise<string[]> {
  const places: string[] = [];
  const entries = await tree.list(folder);
  if (entries.length === 0) places.push(`${folder}/`);
  for (const { name, kind } of entries) {
    const place = folder === '' ? name : `${folder}/${name}`;
    if (kind === 'folder') places.push(...(await placesIn(tree, place)));
    else places.push(place);
  }
  return places;
}
