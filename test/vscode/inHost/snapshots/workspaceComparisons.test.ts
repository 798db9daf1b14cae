import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { OpenedSnapshots } from '../../../../src/extension/snapshots/openedSnapshots.ts';
import type { Session } from '../../../../src/extension/sessions/session.ts';
import { WorkspaceComparisons } from '../../../../src/extension/snapshots/workspaceComparisons.ts';

describe('the comparisons of snapshots with the workspace', () => {
  let root = '';
  const refreshes = new Emitter<void>();
  let comparisons: WorkspaceComparisons;
  const notes = { isPaused: false };
  let diffs = 0;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'ah-t-')));
    mkdirSync(path.join(root, 'real/sub'), { recursive: true });
    diffs = 0;
    const diff = () => {
      diffs++;
      return Promise.resolve([{ path: 'a.ts', kind: 'modified' }]);
    };
    const files = { kept: () => ({ ref: 'ref' }), provider: () => Promise.resolve({ diff }) };
    const opened = { files: () => Promise.resolve(files) } as unknown as OpenedSnapshots;
    const session = { meta: { state: 'running', workspace: root }, notes };
    const sessions = [session as unknown as Session];
    comparisons = new WorkspaceComparisons(opened, { sessions, onDidChange: refreshes.event });
  });
  afterEach(() => {
    comparisons.dispose();
    rmSync(root, { recursive: true });
  });

  it('are one per snapshot, until its last use ends', async () => {
    const open = (snapshotId: bigint) =>
      comparisons.open({ sessionId: 'id', snapshotId }, path.join(root, 'real'));
    const [one, same, other] = [open(1n), open(1n), open(2n)];
    assert.equal(one.changes, same.changes);
    assert.notEqual(one.changes, other.changes);
    await Promise.all([one.changes.compare(), same.changes.compare()]);
    assert.equal(diffs, 1);
    assert.deepEqual([...one.changes.files.keys()], ['a.ts']);
    one.dispose();
    one.dispose();
    assert.equal(open(1n).changes, same.changes, 'still in use');
    same.dispose();
  });

  it('wait until a paused recording in the folder is resumed', async () => {
    notes.isPaused = true;
    await comparisons.whenResumed(path.join(root, 'other'));
    let isResumed = false;
    const resumed = comparisons.whenResumed(root).then(() => (isResumed = true));
    refreshes.fire();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isResumed, false);
    notes.isPaused = false;
    refreshes.fire();
    await resumed;
  });

  it('know their files by the path that the window has for the folder', () => {
    const link = path.join(root, 'link');
    symlinkSync(path.join(root, 'real'), link);
    const { workspaceFolders } = vscode.workspace;
    const value = [{ uri: vscode.Uri.file(link), name: 'link', index: 0 }];
    const folders = { configurable: true, get: () => value };
    Object.defineProperty(vscode.workspace, 'workspaceFolders', folders);
    try {
      const key = { sessionId: 'id', snapshotId: 1n };
      const { changes } = comparisons.open(key, path.join(root, 'real/sub'));
      assert.equal(changes.folder, path.join(link, 'sub'));
      assert.equal(changes.pathOf(path.join(link, 'sub/a.ts')), 'a.ts');
      assert.equal(changes.pathOf(path.join(root, 'real/sub/a.ts')), 'a.ts');
      assert.equal(changes.pathOf(path.join(link, 'a.ts')), undefined);
    } finally {
      const before = { configurable: true, get: () => workspaceFolders };
      Object.defineProperty(vscode.workspace, 'workspaceFolders', before);
    }
  });
});
