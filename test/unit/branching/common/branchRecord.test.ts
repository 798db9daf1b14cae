import assert from 'node:assert/strict';
import {
  decodeBranchRecord,
  encodeBranchRecord,
  type BranchRecord,
} from '../../../../src/branching/common/branchRecord.ts';

const RECORD: BranchRecord = {
  version: 1,
  id: 'b1',
  name: 'näme',
  state: 'ready',
  owner: '1-x',
  kind: 'worktree',
  createdAtNs: 1_794_815_345_953_996_801n,
  provider: 'git',
  from: {
    sessionId: 's1',
    workspace: '/w',
    snapshotId: 3n,
    snapshotRef: 's1-3@abc',
    byte: 12,
    timeNs: 1_794_815_343_876_964_353n,
  },
  destination: '/d',
  workspace: '/d/sub',
  message: 'hello',
  made: {
    agent: 'codex',
    session: 'x',
    program: '/bin/codex',
    files: ['/h/x'],
    folders: ['/h'],
  },
  launch: {
    cmd: ['/bin/sh'],
    cwd: '/d/sub',
    env: { A: 'b' },
    method: 'replay',
    warnings: ['w'],
    details: { a: 1 },
    isWaiting: true,
  },
};

describe('a branch record', () => {
  it('is decoded exactly, nanoseconds included', () => {
    assert.deepEqual(decodeBranchRecord(encodeBranchRecord(RECORD)), RECORD);
  });

  it('is refused if any field is invalid', () => {
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
