import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { BranchRecord } from '../../../../src/branching/common/branchRecord.ts';
import { BranchDecorations } from '../../../../src/extension/branches/branchDecorations.ts';
import type { Session } from '../../../../src/extension/sessions/session.ts';
import type { SessionStore } from '../../../../src/extension/sessions/sessionStore.ts';
import { OpenedSnapshots } from '../../../../src/extension/snapshots/openedSnapshots.ts';
import { WorkspaceComparisons } from '../../../../src/extension/snapshots/workspaceComparisons.ts';
import { Catalogue } from '../../../../src/sessions/node/catalogue.ts';
import type { SessionFiles } from '../../../../src/snapshots/node/list/sessionFiles.ts';
import { AhSandbox, until } from '../../../support/ah.ts';
import { placeBranchable } from '../../../support/branching/branchableSession.ts';
import { userGit } from '../../../support/git/gitWorkspace.ts';
import { EAGER_PACE } from '../../harness/eagerPace.ts';

describe('the files of a branch', function () {
  this.timeout(60_000);
  let folder = '';
  let files: SessionFiles;
  let opened: OpenedSnapshots;

  before(async () => {
    // A branch may be in a folder of the workspace.
    const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(workspace);
    folder = realpathSync(mkdtempSync(path.join(workspace, 'branch-')));
    await watched(folder);
    await userGit(folder, 'init', '-q');
    files = await placeBranchable(new AhSandbox(process.env['AH_DATA_DIR']!), folder, {
      steps: [() => writeFileSync(path.join(folder, 'a.ts'), 'one\n')],
    });
    opened = new OpenedSnapshots(new Catalogue());
  });
  after(async () => {
    opened.dispose();
    await files.dispose();
    rmSync(folder, { recursive: true });
  });

  it('are marked if they changed in it', async () => {
    const changes = new Emitter<void>();
    const meta = { state: 'running', workspace: folder };
    const notes = { isPaused: true };
    const store = {
      sessions: [{ meta, notes } as unknown as Session],
      get: () => files.session as unknown as Session,
      onDidChange: changes.event,
    };
    const comparisons = new WorkspaceComparisons(opened, store, EAGER_PACE);
    const record = {
      id: files.session.meta.id,
      name: 'use a clock',
      kind: 'worktree',
      state: 'ready',
      workspace: folder,
      from: { timeNs: 0n },
    } as unknown as BranchRecord;
    const decorations = new BranchDecorations(
      { list: () => Promise.resolve([record]) },
      store as unknown as SessionStore,
      opened,
      comparisons,
      () => true,
    );
    try {
      const of = (name: string) =>
        decorations.provideFileDecoration(vscode.Uri.file(path.join(folder, name)));
      await decorations.refresh();
      assert.equal(of(''), undefined, 'nothing is compared while the recording is paused');
      notes.isPaused = false;
      await decorations.refresh();
      assert.equal(of('')?.badge, 'B');
      assert.match(of('')!.tooltip!, /^Branch “use a clock”, from \d\d:\d\d/);
      assert.equal(of('a.ts'), undefined);
      writeFileSync(path.join(folder, 'a.ts'), 'two\n');
      writeFileSync(path.join(folder, 'b.ts'), 'new\n');
      const isMarked = () => !!of('a.ts') && !!of('b.ts');
      await until(isMarked, 'both files to be marked', 30_000);
      assert.equal(of('a.ts')?.tooltip, 'Changed in branch “use a clock”');
      assert.equal(of('a.ts')?.propagate, true);
      assert.equal(decorations.provideFileDecoration(vscode.Uri.file('/elsewhere')), undefined);
    } finally {
      decorations.dispose();
      comparisons.dispose();
      changes.dispose();
    }
  });
});

/** Waits until VS Code watches a new folder; it reports nothing that changed in it before. */
async function watched(folder: string): Promise<void> {
  const file = path.join(folder, 'watched');
  const watcher = vscode.workspace.createFileSystemWatcher('**/watched');
  let isSeen = false;
  watcher.onDidCreate(() => (isSeen = true));
  watcher.onDidChange(() => (isSeen = true));
  const writing = setInterval(() => writeFileSync(file, ''), 100);
  try {
    await until(() => isSeen, 'VS Code to watch the folder', 30_000);
  } finally {
    clearInterval(writing);
    watcher.dispose();
    rmSync(file, { force: true });
  }
}
