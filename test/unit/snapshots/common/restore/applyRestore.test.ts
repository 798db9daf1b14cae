import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { compareSnapshots } from '../../../../../src/branching/common/compareSnapshots.ts';
import { nodeFiles } from '../../../../../src/platform/node/files/files.ts';
import { FolderTree } from '../../../../../src/snapshots/volume/folderTree.ts';
import {
  applyRestore,
  type RestoreResult,
} from '../../../../../src/snapshots/common/restore/applyRestore.ts';
import { restoreSteps } from '../../../../../src/snapshots/common/restore/restoreSteps.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';
import { treeState } from '../../../../support/volumes/treeState.ts';

/** Uses real files; plain folders stand for the snapshots. */
describe('restoring a snapshot', () => {
  const folder = useTemporaryFolder();
  const at = (name: string) => path.join(folder.path, name);
  const put = (name: string, content = name) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  };
  const { signal } = new AbortController();

  beforeEach(() => {
    for (const name of ['work', 'present', 'target']) mkdirSync(at(name));
  });

  /** @param meanwhile changes the workspace after the present snapshot was taken */
  async function restore(meanwhile: () => void = () => {}): Promise<RestoreResult> {
    cpSync(at('work'), at('present'), { recursive: true, verbatimSymlinks: true });
    meanwhile();
    const states = {
      present: new FolderTree(nodeFiles, at('present')),
      target: new FolderTree(nodeFiles, at('target')),
    };
    const changes = await compareSnapshots(states.present, states.target, signal);
    const steps = await restoreSteps(changes, states, signal);
    return applyRestore(steps, { workspace: at('work'), files: nodeFiles, signal, ...states });
  }

  it('creates and removes empty folders with their parents', async () => {
    mkdirSync(at('target/wanted/deep/er'), { recursive: true, mode: 0o755 });
    mkdirSync(at('target/was file'));
    mkdirSync(at('work/unwanted/deep/er'), { recursive: true });
    put('work/was file');
    put('target/was folder');
    put('work/was folder/deep/file');
    put('target/was empty folder');
    mkdirSync(at('work/was empty folder'));
    put('work/mixed/file');
    mkdirSync(at('work/mixed/empty'));
    const { done, skipped } = await restore();
    assert.deepEqual(skipped, []);
    assert.deepEqual(treeState(at('work')), treeState(at('target')));
    const folders = done.filter(({ isFolder }) => isFolder).map(({ path: name }) => name);
    assert.deepEqual(folders.sort(), [
      'mixed/empty',
      'unwanted/deep/er',
      'wanted/deep/er',
      'was empty folder',
      'was file',
    ]);
  });

  it('restores permissions of folders after their content', async () => {
    for (const name of ['present', 'target', 'work'])
      put(`${name}/closed/inner/file`, name === 'target' ? 'then' : 'now');
    chmodSync(at('target/closed/inner'), 0o500);
    chmodSync(at('target/closed'), 0o510);
    for (const name of ['present', 'work']) chmodSync(at(`${name}/closed`), 0o770);
    const { done, skipped } = await restore();
    assert.deepEqual(skipped, []);
    assert.deepEqual(treeState(at('work')), treeState(at('target')));
    assert.deepEqual(
      done.map(({ path: name, kind, isFolder }) => [name, kind, isFolder]),
      [
        ['closed/inner/file', 'change', undefined],
        ['closed/inner', 'change', true],
        ['closed', 'change', true],
      ],
    );
  });

  it('lists permission changes of files and folders', async () => {
    for (const name of ['present', 'target', 'work']) {
      put(`${name}/run.sh`, 'the same');
      put(`${name}/folder/file`, name === 'target' ? 'then' : 'now');
      chmodSync(at(`${name}/run.sh`), name === 'target' ? 0o750 : 0o644);
      chmodSync(at(`${name}/folder`), name === 'target' ? 0o700 : 0o755);
    }
    const { done } = await restore();
    const said = done.map(({ path: name, permissions: modes }) => [
      name,
      modes && [modes.before, modes.after],
    ]);
    assert.deepEqual(said, [
      ['folder/file', undefined],
      ['run.sh', [0o644, 0o750]],
      ['folder', [0o755, 0o700]],
    ]);
    assert.deepEqual(treeState(at('work')), treeState(at('target')));
  });

  it('writes names of the maximum length', async () => {
    const name = 'n'.repeat(255);
    put(`target/${name}`, 'then');
    put(`work/${name}`, 'now');
    put(`target/${'m'.repeat(255)}`);
    assert.deepEqual((await restore()).skipped, []);
    assert.deepEqual(treeState(at('work')), treeState(at('target')));
  });

  it('skips files that changed meanwhile, with the reason', async () => {
    for (const name of ['made', 'one', 'two']) put(`target/${name}`, 'then');
    for (const name of ['one', 'two']) put(`work/${name}`, 'now');
    mkdirSync(at('work/empty'));
    const { done, skipped } = await restore(() => {
      put('work/one', 'edited a moment ago');
      put('work/empty/file', 'just made');
      put('work/made', 'just made');
    });
    assert.deepEqual(done, [{ path: 'two', kind: 'change' }]);
    assert.deepEqual(
      skipped.map(({ step, reason }) => [step.path, reason]),
      [
        ['empty', 'The folder is not empty.'],
        ['made', 'The current file is not in any snapshot, so it was not replaced.'],
        ['one', 'It has changed since the restore was planned.'],
      ],
    );
    assert.equal(readFileSync(at('work/one'), 'utf8'), 'edited a moment ago');
    for (const name of ['empty/file', 'made'])
      assert.equal(readFileSync(at(`work/${name}`), 'utf8'), 'just made');
  });

  it('skips files whose permissions are in no snapshot, with the reason', async () => {
    put('target/ignored.key', 'the same');
    put('work/edited', 'now');
    put('target/edited', 'then');
    for (const name of ['target/ignored.key', 'target/edited', 'work/edited'])
      chmodSync(at(name), 0o644);
    const { done, skipped } = await restore(() => {
      put('work/ignored.key', 'the same');
      chmodSync(at('work/ignored.key'), 0o600);
      chmodSync(at('work/edited'), 0o600);
    });
    assert.deepEqual(done, []);
    assert.deepEqual(
      skipped.map(({ step, reason }) => [step.path, reason]),
      [
        ['edited', 'It has changed since the restore was planned.'],
        ['ignored.key', 'The current file is not in any snapshot, so it was not replaced.'],
      ],
    );
    assert.equal(statSync(at('work/ignored.key')).mode & 0o777, 0o600);
    assert.equal(statSync(at('work/edited')).mode & 0o777, 0o600);
  });

  it('skips folders whose permissions changed meanwhile', async () => {
    for (const name of ['open', 'closed', 'done'])
      for (const state of ['target', 'work']) {
        put(`${state}/${name}/file`, 'the same');
        chmodSync(at(`${state}/${name}`), state === 'target' ? 0o775 : 0o755);
      }
    const { done, skipped } = await restore(() => {
      chmodSync(at('work/closed'), 0o700);
      chmodSync(at('work/done'), 0o775);
    });
    assert.deepEqual(done.map(({ path: name }) => name).sort(), ['done', 'open']);
    assert.deepEqual(
      skipped.map(({ step, reason }) => [step.path, reason]),
      [['closed', 'It has changed since the restore was planned.']],
    );
    assert.equal(statSync(at('work/closed')).mode & 0o777, 0o700);
  });

  it('never writes through a link that leads elsewhere', async () => {
    put('target/a/file', 'then');
    put('work/a/file', 'now');
    put('outside/file', 'not yours');
    const { done, skipped } = await restore(() => {
      rmSync(at('work/a'), { recursive: true });
      symlinkSync('../outside', at('work/a'));
    });
    assert.deepEqual(done, []);
    assert.deepEqual(
      skipped.map(({ reason }) => reason),
      ['a is no longer a folder.'],
    );
    assert.equal(readFileSync(at('outside/file'), 'utf8'), 'not yours');
  });

  it('accepts what is already as in the target, and neither creates nor removes a pipe', async () => {
    for (const name of ['file', 'becomes link']) put(`work/${name}`, 'now');
    put('target/file', 'then');
    symlinkSync('file', at('target/becomes link'));
    put('work/goes', 'now');
    const { done, skipped } = await restore(() => {
      put('work/file', 'then');
      chmodSync(at('work/file'), statSync(at('target/file')).mode);
      rmSync(at('work/becomes link'));
      mkdirSync(at('work/becomes link'));
      rmSync(at('work/goes'));
      execFileSync('mkfifo', [at('work/goes')]);
    });
    assert.deepEqual(
      done.map(({ path: name }) => name),
      ['file'],
    );
    assert.deepEqual(
      skipped.map(({ step, reason }) => [step.path, reason]),
      [
        ['goes', 'Pipes, sockets and devices are neither created nor removed.'],
        ['becomes link', 'It has changed since the restore was planned.'],
      ],
    );
    assert.ok(statSync(at('work/becomes link')).isDirectory());
    assert.ok(statSync(at('work/goes')).isFIFO());
  });

  it('leaves an existing repository as is, and restores a missing one', async () => {
    put('target/.git/HEAD', 'then');
    put('work/.git/HEAD', 'now');
    put('target/sub/.git/HEAD', 'then');
    put('target/sub/file', 'then');
    const { skipped } = await restore();
    assert.deepEqual(skipped, []);
    assert.equal(readFileSync(at('work/.git/HEAD'), 'utf8'), 'now');
    assert.equal(readFileSync(at('work/sub/.git/HEAD'), 'utf8'), 'then');
  });

  it('stops before the next file when aborted', async () => {
    put('target/a', 'then');
    const stop = new AbortController();
    stop.abort();
    const tree = new FolderTree(nodeFiles, at('target'));
    const parts = { workspace: at('work'), files: nodeFiles, present: tree, target: tree };
    const step = { path: 'a', kind: 'create' } as const;
    const { done } = await applyRestore([step], { ...parts, signal: stop.signal });
    assert.deepEqual([done, [...treeState(at('work'))]], [[], []]);
  });
});
