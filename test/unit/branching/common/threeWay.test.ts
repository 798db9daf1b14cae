import assert from 'node:assert/strict';
import {
  applyBranchSteps,
  threeWayBits,
  type CompareChanges,
} from '../../../../src/branching/common/threeWay.ts';
import type { FileChange } from '../../../../src/snapshots/common/provider.ts';

describe('applying a branch', () => {
  const both: CompareChanges = (path) =>
    Promise.resolve(path === 'same' ? 'same' : path === 'apart' ? 'merge' : 'conflict');

  it('takes files that only the branch changed, and compares files that both changed', async () => {
    const theirs = ['mine', 'same', 'apart', 'clash'].map((path) => ({
      path,
      kind: 'modified' as const,
    }));
    const ours = ['same', 'apart', 'clash', 'elsewhere'].map((path) => ({
      path,
      kind: 'modified' as const,
    }));
    const steps = await applyBranchSteps(theirs, ours, both);
    assert.deepEqual(
      steps.map(({ path, how }) => [path, how]),
      [
        ['mine', 'take'],
        ['apart', 'merge'],
        ['clash', 'conflict'],
      ],
    );
  });

  it('skips files that need a folder in place of a new file, or the other way round', async () => {
    const added = (path: string) => ({ path, kind: 'added' as const });
    const steps = await applyBranchSteps(
      [added('a/b'), added('c')],
      [added('a'), added('c/d')],
      both,
    );
    assert.deepEqual(
      steps.map(({ how }) => how),
      ['conflict', 'conflict'],
    );
  });

  it('replaces a folder by a file, or a file by a folder, completely or not at all', async () => {
    const change = (kind: 'added' | 'deleted' | 'modified') => (path: string) => ({ path, kind });
    const [added, deleted, modified] = [change('added'), change('deleted'), change('modified')];
    const toFile = [added('f'), deleted('f/x'), deleted('f/y/z'), modified('fx')];
    const hows = async (theirs: FileChange[], ours: FileChange[]) =>
      (await applyBranchSteps(theirs, ours, both)).map(({ path, how }) => `${path} ${how}`);
    const isLeft = ['f conflict', 'f/x conflict', 'f/y/z conflict', 'fx take'];
    assert.deepEqual(await hows(toFile, [added('f/new')]), isLeft);
    assert.deepEqual(await hows(toFile, [modified('f/x')]), isLeft);
    assert.deepEqual(
      await hows(toFile, [modified('other')]),
      isLeft.map((step) => step.replace('conflict', 'take')),
    );
    const toFolder = [deleted('g'), added('g/a'), added('g/b/c'), added('h')];
    assert.deepEqual(await hows(toFolder, [modified('g')]), [
      'g conflict',
      'g/a conflict',
      'g/b/c conflict',
      'h take',
    ]);
  });

  it('keeps the changes of both sides to the bits of a mode', () => {
    assert.equal(threeWayBits(0o644, 0o755, 0o644), 0o755, 'ours alone');
    assert.equal(threeWayBits(0o644, 0o644, 0o755), 0o755, 'theirs alone');
    assert.equal(threeWayBits(0o755, 0o644, 0o700), 0o600, 'both take something away');
    assert.equal(threeWayBits(0o600, 0o700, 0o640), 0o740, 'both add something');
  });
});
