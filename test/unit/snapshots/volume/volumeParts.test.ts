import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { nodeFiles } from '../../../../src/platform/node/files/files.ts';
import { nodeExec } from '../../../../src/platform/node/processes/exec.ts';
import type { Files } from '../../../../src/snapshots/common/ports.ts';
import { CloneClaims } from '../../../../src/snapshots/volume/cloneClaims.ts';
import { CloneRecords } from '../../../../src/snapshots/volume/cloneRecords.ts';
import { changesBetween, compareStates } from '../../../../src/snapshots/volume/compareTrees.ts';
import { compareWithPrevious } from '../../../../src/snapshots/volume/compareWithPrevious.ts';
import { folderNames } from '../../../../src/snapshots/common/folders.ts';
import { FolderTree } from '../../../../src/snapshots/volume/folderTree.ts';
import { haveHardLinks } from '../../../../src/snapshots/volume/hardLinks.ts';
import { listTree } from '../../../../src/snapshots/volume/listing.ts';
import { NewestSnapshot } from '../../../../src/snapshots/volume/newestSnapshot.ts';
import { Tool } from '../../../../src/snapshots/volume/tool.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

const { signal } = new AbortController();
const failure = (code: string) => Object.assign(new Error(code), { code });
const touched = (...paths: string[]) => paths.map((each) => ({ path: each, isWholeTree: true }));

describe('two states of a volume', () => {
  const folder = useTemporaryFolder();
  const at = (name: string) => path.join(folder.path, name);
  const pair = () => ({ oldRoot: at('old'), newRoot: at('new'), touched: undefined });

  beforeEach(() => {
    mkdirSync(at('old/folder'), { recursive: true });
    for (const name of ['same', 'folder/inner', 'becomes link', 'becomes folder', 'gone', 'kept'])
      writeFileSync(at(`old/${name}`), 'before');
    writeFileSync(at('old/large'), Buffer.alloc(1024 * 1024 + 1));
    symlinkSync('same', at('old/link'));
    symlinkSync('same', at('old/other link'));
    cpSync(at('old'), at('new'), { recursive: true, verbatimSymlinks: true });
  });

  function change(): void {
    for (const name of ['becomes link', 'becomes folder', 'gone', 'other link'])
      rmSync(at(`new/${name}`));
    symlinkSync('same', at('new/becomes link'));
    mkdirSync(at('new/becomes folder'));
    symlinkSync('gone', at('new/other link'));
    writeFileSync(at('new/folder/inner'), 'AFTER!');
    writeFileSync(at('new/large'), Buffer.alloc(1024 * 1024 + 1, 1));
    writeFileSync(at('new/made'), '');
    chmodSync(at('new/kept'), 0o755);
    chmodSync(at('old/kept'), 0o644);
  }

  const EXPECTED = [
    ['becomes folder', 'deleted'],
    ['becomes link', 'type-changed'],
    ['folder/inner', 'modified'],
    ['gone', 'deleted'],
    ['kept', 'modified'],
    ['large', 'modified'],
    ['made', 'added'],
    ['other link', 'modified'],
  ];

  it('differ in content, kind and permissions, also if only named paths are compared', async () => {
    change();
    const ports = { exec: nodeExec, files: nodeFiles };
    for (const paths of [undefined, touched(...readdirSync(at('old')), 'made')]) {
      const changes = await changesBetween(ports, { ...pair(), touched: paths }, signal);
      assert.deepEqual(
        changes.map(({ path: name, kind }) => [name, kind]),
        EXPECTED,
      );
    }
  });

  it('are equal if the files are the same, without being compared', async () => {
    const files: Files = { ...nodeFiles, areEqual: () => Promise.reject(new Error('compared')) };
    const same = { oldRoot: at('old'), newRoot: at('old'), touched: undefined };
    assert.deepEqual(await changesBetween({ exec: nodeExec, files }, same, signal), []);
  });

  it("differ if a file can't be read, and fail for other errors", async () => {
    const changed = async (error: Error) => {
      const files: Files = { ...nodeFiles, areEqual: () => Promise.reject(error) };
      const changes = await changesBetween({ exec: nodeExec, files }, pair(), signal);
      return changes.map(({ path: name }) => name);
    };
    const all = ['becomes folder', 'becomes link', 'folder/inner', 'gone', 'kept', 'large', 'same'];
    assert.deepEqual(await changed(failure('EACCES')), all);
    await assert.rejects(changed(new Error('bug')), /^Error: bug$/);
  });

  it('with pipes count as changed: pipes are not compared', async () => {
    const ports = { exec: nodeExec, files: nodeFiles };
    for (const root of ['old', 'new']) await nodeExec('mkfifo', [at(`${root}/pipe`)], { cwd: '/' });
    utimesSync(at('old/pipe'), 1, 1);
    const changes = await changesBetween(ports, { ...pair(), touched: touched('pipe') }, signal);
    assert.deepEqual(changes, [{ path: 'pipe', kind: 'modified' }]);
  });

  it('are equal only with the same files, kinds and permissions', async () => {
    const ports = { exec: nodeExec, files: nodeFiles };
    const isSame = async (oldRoot: string, newRoot: string) =>
      (await compareStates(ports, { oldRoot, newRoot, touched: undefined }, signal)).isSame;
    assert.ok(await isSame(at('old'), at('old')));
    assert.ok(!(await isSame(at('old'), at('new'))), 'other inodes');
    mkdirSync(at('one/name'), { recursive: true });
    mkdirSync(at('two/another name'), { recursive: true });
    assert.ok(!(await isSame(at('one'), at('two'))), 'as many, but others');
    mkdirSync(at('three/name'), { recursive: true, mode: 0o700 });
    chmodSync(at('one/name'), 0o750);
    assert.ok(!(await isSame(at('one'), at('three'))), 'other permissions');
    cpSync(at('one'), at('four'), { recursive: true });
    chmodSync(at('four/name'), 0o750);
    assert.ok(await isSame(at('one'), at('four')));
  });

  it('are compared at reported paths first; if those are equal, completely', async () => {
    change();
    const ports = { exec: nodeExec, files: nodeFiles };
    const request = { name: 'x', label: '', signal };
    const compare = (paths: string[]) =>
      compareWithPrevious(ports, pair(), { ...request, changedPaths: paths });
    assert.equal((await compare(['made'])).isGlance, true);
    const { isGlance, isSame } = await compare([]);
    assert.deepEqual([isGlance, isSame], [undefined, false]);
  });

  it('have more changed names than are listed, if a file has hard links', async () => {
    linkSync(at('new/same'), at('new/second name'));
    const roots = [at('old'), at('new')];
    assert.ok(await haveHardLinks(nodeFiles, roots, touched('gone', 'same', 'kept', 'link')));
    assert.ok(!(await haveHardLinks(nodeFiles, roots, touched('gone', 'folder', 'nothing'))));
  });

  it("can't be listed if one of them is missing", async () => {
    await assert.rejects(listTree(nodeExec, at('nothing'), signal), { name: 'ToolFailure' });
  });
});

describe('a snapshot that is a folder', () => {
  const folder = useTemporaryFolder();

  it('is read as is, and lists its omissions', async () => {
    writeFileSync(path.join(folder.path, 'file'), 'text');
    symlinkSync('file', path.join(folder.path, 'link'));
    const tree = new FolderTree(nodeFiles, folder.path);
    assert.equal(Buffer.from(await tree.read('link')).toString(), 'file');
    for (const name of ['file/below', 'nothing', '../file', ''])
      await assert.rejects(tree.read(name), { code: 'not-in-snapshot' }, name);
    await assert.rejects(tree.list('file'), { code: 'not-in-snapshot' });
  });

  it('has no folders if it is missing; an unreadable folder is not empty', async () => {
    assert.deepEqual(await folderNames(nodeFiles, path.join(folder.path, 'nothing')), []);
    const files: Files = { ...nodeFiles, list: () => Promise.reject(failure('EIO')) };
    await assert.rejects(folderNames(files, folder.path), { code: 'EIO' });
  });
});

describe('the records of clones', () => {
  const folder = useTemporaryFolder();
  const place = () => path.join(folder.path, 'records');
  const record = { destination: '/clone', place: '/place' };

  it("create their folder if it is missing, and fail if they can't be written", async () => {
    const records = new CloneRecords(nodeFiles, place());
    await records.add(record);
    assert.deepEqual(await records.get('/clone'), record);
    const full: Files = { ...nodeFiles, write: () => Promise.reject(failure('ENOSPC')) };
    await assert.rejects(new CloneRecords(full, place()).add(record), { code: 'ENOSPC' });
  });

  it('that are damaged, or of another clone, remove nothing', async () => {
    const records = new CloneRecords(nodeFiles, place());
    await records.add(record);
    const [name] = readdirSync(place());
    const texts = ['{', 'null', '{"destination":"/clone"}', '{"destination":"/x","place":"/y"}'];
    for (const text of texts) {
      writeFileSync(path.join(place(), name!), text);
      await assert.rejects(records.get('/clone'), { code: 'not-a-clone' }, text);
    }
  });

  it("a claim that can't be removed does not fail the clone", async () => {
    const files: Files = { ...nodeFiles, removeTree: () => Promise.reject(failure('EIO')) };
    const processes = { own: 'me', isAlive: () => Promise.resolve(true) };
    const claims = new CloneClaims({ files, processes }, place());
    assert.equal(await claims.exclusively('/clone', () => Promise.resolve('made')), 'made');
  });
});

describe('bugs are not mistaken for errors of a disk or a command', () => {
  const bug = () => Promise.reject(new Error('bug'));

  it('in the name of the newest snapshot', async () => {
    const isThere = () => Promise.resolve(true);
    const unreadable = new NewestSnapshot({ ...nodeFiles, read: bug }, '/nothing/newest');
    await assert.rejects(unreadable.read(), /^Error: bug$/);
    const unwritable = new NewestSnapshot({ ...nodeFiles, write: bug }, '/nothing/newest');
    await assert.rejects(unwritable.settle({ ref: 'a', same: undefined, isThere }), /^Error: bug$/);
  });

  it('when a command is looked for', async () => {
    await assert.rejects(Tool.find(bug, 'zfs', []), /^Error: bug$/);
    const places: string[] = [];
    const missing = (program: string) => {
      places.push(program);
      return Promise.reject(failure(places.length === 1 ? 'ENOENT' : 'EACCES'));
    };
    assert.equal(await Tool.find(missing, 'zfs', []), undefined);
    assert.deepEqual(places, ['zfs', '/usr/sbin/zfs', '/sbin/zfs', '/usr/local/sbin/zfs']);
  });
});
