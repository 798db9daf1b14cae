import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/emitter.ts';
import { COMMANDS } from '../../../../src/extension/contributions.ts';
import { ChangesSince } from '../../../../src/extension/snapshots/changesSince.ts';
import { OpenedSnapshots } from '../../../../src/extension/snapshots/openedSnapshots.ts';
import type { SnapshotChooser } from '../../../../src/extension/snapshots/snapshotChooser.ts';
import { WorkspaceComparisons } from '../../../../src/extension/snapshots/workspaceComparisons.ts';
import { Catalogue } from '../../../../src/sessions/node/catalogue.ts';
import { openedSnapshots } from '../../../../src/snapshots/node/list/openedSnapshots.ts';
import type { SessionFiles } from '../../../../src/snapshots/node/list/sessionFiles.ts';
import { AhSandbox, until } from '../../../support/ah.ts';
import { placeBranchable } from '../../../support/branching/branchableSession.ts';
import { userGit } from '../../../support/git/gitWorkspace.ts';
import { EAGER_PACE } from '../../harness/eagerPace.ts';
import { useStubs } from '../../harness/useStubs.ts';

describe('the changes since a snapshot', function () {
  this.timeout(60_000);
  let root = '';
  let files: SessionFiles;
  const stubs = useStubs();
  const write = (name: string, text: string) => writeFileSync(path.join(root, name), text);

  before(async () => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'ah-t-')));
    mkdirSync(path.join(root, 'src'));
    await userGit(root, 'init', '-q');
    files = await placeBranchable(new AhSandbox(process.env['AH_DATA_DIR']!), root, {
      steps: [() => write('src/a.ts', 'one\n'), () => write('src/a.ts', 'two\n')],
    });
    write('src/a.ts', 'now\n');
    await vscode.commands.executeCommand(COMMANDS.refreshSessions);
  });
  after(async () => {
    await vscode.commands.executeCommand(COMMANDS.hideChangesSince);
    await files.dispose();
    rmSync(root, { recursive: true });
  });

  it('are what source control compares with, and lists, until they are hidden', async () => {
    const control = spied();
    const meta = { id: files.session.meta.id };
    const uri = vscode.Uri.file(path.join(root, 'src/a.ts'));
    const token = new vscode.CancellationTokenSource().token;
    const show = (snapshotId: string) =>
      vscode.commands.executeCommand(COMMANDS.showChangesSince, { meta, snapshotId });
    try {
      await show('1');
      assert.match(control.last!.label, /^Since “step 1”, .*\d\d:\d\d/);
      const originalOf = (file: vscode.Uri) =>
        control.last!.quickDiffProvider!.provideOriginalResource!(file, token);
      const original = (await originalOf(uri))!;
      assert.equal((await vscode.workspace.openTextDocument(original)).getText(), 'one\n');
      await show('2');
      assert.equal(control.disposed, 1, 'one at a time');
      const later = (await originalOf(uri))!;
      assert.equal((await vscode.workspace.openTextDocument(later)).getText(), 'two\n');
      assert.deepEqual(control.files(root), [['src/a.ts', 'Changed since then']]);
      const noted = () => openedSnapshots(files.session.folder);
      assert.deepEqual([...(await noted())], [2n], 'pruning keeps it');
      await vscode.commands.executeCommand(COMMANDS.hideChangesSince);
      assert.equal(control.disposed, 2);
      await until(async () => (await noted()).size === 0, 'the note to be deleted');
      // The last request decides what is shown, although the comparison of the first one ends
      // later.
      await Promise.all([show('1'), show('2')]);
      assert.match(control.last!.label, /^Since “step 2”/);
      const late = show('1');
      await vscode.commands.executeCommand(COMMANDS.hideChangesSince);
      await late;
      assert.equal(control.created, control.disposed);
      assert.deepEqual([...(await noted())], []);
    } finally {
      control.restore();
    }
  });

  it('are compared again after files change', async () => {
    const control = spied();
    const opened = new OpenedSnapshots(new Catalogue());
    const nothing = new Emitter<void>();
    const store = { sessions: [], onDidChange: nothing.event };
    const comparisons = new WorkspaceComparisons(opened, store, EAGER_PACE);
    const chosen = { session: files.session, line: files.snapshots.find(({ id }) => id === 2n)! };
    const chooser = { choose: () => Promise.resolve(chosen) } as unknown as SnapshotChooser;
    const state = { get: () => undefined, update: () => Promise.resolve() };
    const since = new ChangesSince(
      chooser,
      opened,
      comparisons,
      state as unknown as vscode.Memento,
    );
    try {
      await since.show(undefined);
      const token = new vscode.CancellationTokenSource().token;
      const originalOf = (name: string) =>
        control.last!.quickDiffProvider!.provideOriginalResource!(
          vscode.Uri.file(path.join(root, name)),
          token,
        );
      assert.deepEqual(control.files(root), [['src/a.ts', 'Changed since then']]);
      write('src/b.ts', 'new\n');
      write('src/a.ts', 'two\n');
      const isCompared = () => control.files(root)[0]?.[0] === 'src/b.ts';
      await until(isCompared, 'the new file, and the other to be as it was', 30_000);
      assert.deepEqual(control.files(root), [['src/b.ts', 'Added since then']]);
      assert.equal(await originalOf('src/b.ts'), undefined);
      assert.equal(await originalOf('src/a.ts'), undefined);
    } finally {
      await since.hide();
      comparisons.dispose();
      opened.dispose();
      control.restore();
    }
  });

  it('are announced with the way to Source Control and back', async () => {
    const meta = { id: files.session.meta.id };
    let told: string[] = [];
    let answer: (button: string | undefined) => void = () => {};
    stubs.replace(vscode.window, 'showInformationMessage', (...texts: string[]) => {
      told = texts;
      return new Promise((resolve) => (answer = resolve));
    });
    const control = spied();
    try {
      await vscode.commands.executeCommand(COMMANDS.showChangesSince, { meta, snapshotId: '1' });
      assert.match(told[0]!, /^Source Control lists \d files? that changed since “step 1”\.$/);
      assert.deepEqual(told.slice(1), ['Open Source Control', 'Hide Changes']);
      answer('Hide Changes');
      await until(() => control.disposed === 1, 'the changes to be hidden');
    } finally {
      control.restore();
    }
  });
});

/** Sees the source controls that the extension creates. */
function spied() {
  const create = vscode.scm.createSourceControl;
  const groups: vscode.SourceControlResourceGroup[] = [];
  const spy = {
    last: undefined as vscode.SourceControl | undefined,
    created: 0,
    disposed: 0,
    files: (root: string) =>
      groups
        .at(-1)!
        .resourceStates.map(({ resourceUri, decorations }) => [
          path.relative(root, resourceUri.fsPath),
          decorations?.tooltip,
        ]),
    restore: () => Object.defineProperty(vscode.scm, 'createSourceControl', { value: create }),
  };
  const value: typeof create = (id, label, rootUri) => {
    const control = create(id, label, rootUri);
    const createGroup = control.createResourceGroup.bind(control);
    control.createResourceGroup = (...parameters) => {
      groups.push(createGroup(...parameters));
      return groups.at(-1)!;
    };
    const dispose = control.dispose.bind(control);
    control.dispose = () => {
      spy.disposed++;
      dispose();
    };
    spy.last = control;
    spy.created++;
    return control;
  };
  Object.defineProperty(vscode.scm, 'createSourceControl', { value, configurable: true });
  return spy;
}
