import assert from 'node:assert/strict';
import {
  decodeBranchRecord,
  encodeBranchRecord,
  type BranchRecord,
} from '../../../../src/branching/common/branchRecord.ts';
import { decodeProvenance } from '../../../../src/branching/common/provenance.ts';
import {
  applyBranchSteps,
  threeWayBits,
  type JudgeBoth,
} from '../../../../src/branching/common/threeWay.ts';
import type { FileChange } from '../../../../src/snapshots/common/provider.ts';

const RECORD: BranchRecord = {
  ...{ version: 1, id: 'b1', name: 'näme', state: 'ready', owner: '1-x', kind: 'worktree' },
  ...{ createdAtNs: 1_794_815_345_953_996_801n, provider: 'git' },
  from: {
    ...{ sessionId: 's1', workspace: '/w', snapshotId: 3n, snapshotRef: 's1-3@abc' },
    ...{ byte: 12, timeNs: 1_794_815_343_876_964_353n },
  },
  ...{ destination: '/d', workspace: '/d/sub', message: 'hello' },
  made: {
    ...{ agent: 'codex', session: 'x', program: '/bin/codex', files: ['/h/x'], folders: ['/h'] },
  },
  launch: {
    ...{ cmd: ['/bin/sh'], cwd: '/d/sub', env: { A: 'b' }, method: 'replay', warnings: ['w'] },
    ...{ details: { a: 1 }, isWaiting: true },
  },
};

describe('a branch record', () => {
  it('comes back exactly, nanoseconds included', () => {
    assert.deepEqual(decodeBranchRecord(encodeBranchRecord(RECORD)), RECORD);
  });

  it('is refused when anything in it is not what it should be', () => {
    const { from, launch } = RECORD;
    for (const [name, wrong] of Object.entries({
      version: { ...RECORD, version: 2 },
      state: { ...RECORD, state: 'done' },
      kind: { ...RECORD, kind: 'copy' },
      provider: { ...RECORD, provider: 'cp' },
      from: { ...RECORD, from: undefined },
      byte: { ...RECORD, from: { ...from, byte: 'x' } },
      workspace: { ...RECORD, workspace: 7 },
      files: { ...RECORD, made: { ...RECORD.made, files: [7] } },
      folders: { ...RECORD, made: { ...RECORD.made, folders: '/' } },
      cmd: { ...RECORD, launch: { ...launch, cmd: [] } },
      env: { ...RECORD, launch: { ...launch, env: { A: 1 } } },
    })) {
      const text = encodeBranchRecord(wrong as unknown as BranchRecord);
      assert.equal(decodeBranchRecord(text), undefined, name);
    }
    for (const text of ['', '[]', 'null', '{', '7'])
      assert.equal(decodeBranchRecord(text), undefined);
  });
});

describe('provenance', () => {
  it('is read from what a file says, and from nothing else', () => {
    const said = {
      ...{ fromSessionId: 's1', fromTs: 17, fromByte: 3, fsSnapshotId: 2, method: 'resume' },
    };
    assert.deepEqual(decodeProvenance(said), {
      ...{ fromSessionId: 's1', fromTs: 17n, fromByte: 3, fsSnapshotId: 2n, method: 'resume' },
      ...{ agentDetails: {}, name: '' },
    });
    for (const wrong of [
      undefined,
      null,
      [],
      'x',
      { ...said, method: 'magic' },
      { ...said, fromTs: 1.5 },
    ]) {
      assert.equal(decodeProvenance(wrong), undefined);
    }
  });
});

describe('taking back', () => {
  const both: JudgeBoth = (path) =>
    Promise.resolve(path === 'same' ? 'same' : path === 'apart' ? 'merge' : 'conflict');

  it('takes what only the branch changed, and judges what both did', async () => {
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

  it('leaves alone what would need a folder where a file has come, or the other way round', async () => {
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

  it('does all or nothing where a file takes the place of a folder, or the other way round', async () => {
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
      ...['g conflict', 'g/a conflict', 'g/b/c conflict', 'h take'],
    ]);
  });

  it('keeps what both did to the bits of a mode', () => {
    assert.equal(threeWayBits(0o644, 0o755, 0o644), 0o755, 'ours alone');
    assert.equal(threeWayBits(0o644, 0o644, 0o755), 0o755, 'theirs alone');
    assert.equal(threeWayBits(0o755, 0o644, 0o700), 0o600, 'both take something away');
    assert.equal(threeWayBits(0o600, 0o700, 0o640), 0o740, 'both add something');
  });
});
