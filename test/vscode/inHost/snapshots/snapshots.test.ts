import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../../src/extension/contributions.ts';
import { sessionTooltip } from '../../../../src/extension/sessions/list/sessionTooltip.ts';
import { snapshotRootUri, snapshotUri } from '../../../../src/extension/snapshots/snapshotUri.ts';
import type { SessionFiles } from '../../../../src/snapshots/node/list/sessionFiles.ts';
import { sessionCost } from '../../../../src/snapshots/node/prune/snapshotCosts.ts';
import { AhSandbox, until } from '../../../support/ah.ts';
import { placeBranchable } from '../../../support/branching/branchableSession.ts';
import { userGit } from '../../../support/git/gitWorkspace.ts';

/** Tests the active extension on a session with snapshots in git. */
describe('snapshots in the extension host', function () {
  this.timeout(60_000);
  let root = '';
  let workspace = '';
  let files: SessionFiles;

  before(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'ah-t-'));
    workspace = path.join(root, 'wörk space');
    mkdirSync(path.join(workspace, 'src'), { recursive: true });
    await userGit(workspace, 'init', '-q');
    const write = (name: string, text: string) => writeFileSync(path.join(workspace, name), text);
    files = await placeBranchable(new AhSandbox(process.env['AH_DATA_DIR']!), workspace, {
      steps: [
        () => {
          write('src/ünï.txt', 'one\n');
          write('goes', 'goes\n');
          symlinkSync('src', path.join(workspace, 'link'));
          mkdirSync(path.join(workspace, 'hollow'));
        },
        () => {
          write('src/ünï.txt', 'two\n');
          write('comes', 'comes\n');
          rmSync(path.join(workspace, 'goes'));
        },
      ],
    });
    write('src/ünï.txt', 'now\n');
    await vscode.commands.executeCommand(COMMANDS.refreshSessions);
  });
  after(async () => {
    await files.dispose();
    rmSync(root, { recursive: true });
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  function uriOf(name: string, snapshotId = 1n): vscode.Uri {
    const file = name === '' ? workspace : path.join(workspace, name);
    return snapshotUri({ sessionId: files.session.meta.id, snapshotId, file });
  }

  async function textOf(uri: vscode.Uri): Promise<string> {
    return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();
  }

  const { fs } = vscode.workspace;

  it('never come from another session if their own was deleted', async () => {
    const asked = vscode.commands
      .executeCommand(COMMANDS.branchHere, { meta: { id: 'gone' }, snapshotId: '1' })
      .then(() => 'said');
    const waited = new Promise((resolve) => setTimeout(resolve, 10_000)).then(() => 'asks');
    assert.equal(await Promise.race([asked, waited]), 'said');
  });

  it('can be read and listed', async () => {
    assert.equal(await textOf(uriOf('src/ünï.txt')), 'one\n');
    assert.equal(await textOf(uriOf('src/ünï.txt', 2n)), 'two\n');
    const document = await vscode.workspace.openTextDocument(uriOf('src/ünï.txt'));
    assert.equal(document.getText(), 'one\n');
    assert.deepEqual((await fs.readDirectory(uriOf(''))).sort(), [
      ['goes', vscode.FileType.File],
      ['hollow', vscode.FileType.Directory],
      // The link's target as text.
      ['link', vscode.FileType.File],
      ['src', vscode.FileType.Directory],
    ]);
    assert.equal(await textOf(uriOf('link')), 'src');
    const stat = await fs.stat(uriOf('src/ünï.txt'));
    assert.deepEqual(
      [stat.type, stat.size, stat.permissions],
      [vscode.FileType.File, 4, vscode.FilePermission.Readonly],
    );
    assert.equal((await fs.stat(uriOf('src'))).type, vscode.FileType.Directory);
  });

  it('can be read below a folder with a title', async () => {
    const key = { sessionId: files.session.meta.id, snapshotId: 1n };
    const root = snapshotRootUri(key, 'shop @ 08:00 · read-only');
    const names = (await fs.readDirectory(root)).map(([name]) => name);
    assert.deepEqual(names.sort(), ['goes', 'hollow', 'link', 'src']);
    assert.equal(await textOf(vscode.Uri.joinPath(root, 'src/ünï.txt')), 'one\n');
    assert.equal((await fs.stat(root)).type, vscode.FileType.Directory);
  });

  it('are read-only', async () => {
    assert.equal(fs.isWritableFileSystem('ah-snapshot'), false);
    const uri = uriOf('goes');
    const attempts: (() => Thenable<unknown>)[] = [
      () => fs.writeFile(uri, Buffer.from('x')),
      () => fs.writeFile(uriOf('new'), Buffer.from('x')),
      () => fs.delete(uri),
      () => fs.rename(uri, uriOf('other')),
      () => fs.createDirectory(uriOf('folder')),
    ];
    for (const attempt of attempts)
      await assert.rejects(Promise.resolve(attempt()), vscode.FileSystemError);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), 'x');
    const isDone = await vscode.workspace.applyEdit(edit).then(
      (done) => done && vscode.workspace.textDocuments.some((each) => each.isDirty),
      () => false,
    );
    if (isDone) await assert.rejects(saved(uri));
    assert.equal(await textOf(uri), 'goes\n');
    assert.equal(readFileSync(path.join(workspace, 'comes'), 'utf8'), 'comes\n');
  });

  async function saved(uri: vscode.Uri): Promise<void> {
    const document = vscode.workspace.textDocuments.find(
      (each) => each.uri.toString() === uri.toString(),
    );
    if (!(await document?.save())) throw new Error('not saved');
  }

  it('report missing files', async () => {
    const code = (expected: string) => (error: unknown) =>
      error instanceof vscode.FileSystemError && error.code === expected;
    await assert.rejects(Promise.resolve(fs.stat(uriOf('comes'))), code('FileNotFound'));
    await assert.rejects(Promise.resolve(fs.readFile(uriOf('../outside'))), code('FileNotFound'));
    const gone = uriOf('goes', 99n);
    await assert.rejects(Promise.resolve(fs.readFile(gone)), code('Unavailable'));
    const elsewhere = snapshotUri({ sessionId: 'nobody', snapshotId: 1n, file: workspace });
    await assert.rejects(Promise.resolve(fs.stat(elsewhere)), code('Unavailable'));
  });

  it('are compared in one multi-file diff', async () => {
    const labels = () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map((tab) => tab.label);
    const shows = (title: string) =>
      until(() => labels().some((label) => label.startsWith(title)), title, 20_000).catch(
        (error: unknown) => {
          throw new Error(`There is only: ${labels().join(', ')}`, { cause: error });
        },
      );
    const meta = { id: files.session.meta.id };
    await vscode.commands.executeCommand(COMMANDS.showChangesOfSnapshot, { meta, snapshotId: '2' });
    await shows('step 1 ↔ step 2');
    await vscode.commands.executeCommand(COMMANDS.compareSnapshot, { meta, snapshotId: '2' });
    await shows('step 2 ↔ workspace');
  });

  it('are restored after a review, which can be cancelled, and the restore can be undone', async () => {
    const meta = { id: files.session.meta.id };
    const contentOf = (name: string) => readFileSync(path.join(workspace, name), 'utf8');
    const labels = () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map((tab) => tab.label);
    const isShown = () => labels().some((label) => label.startsWith('Restore to “step 1” ('));
    const review = () =>
      vscode.commands.executeCommand(COMMANDS.restoreSnapshot, { meta, snapshotId: '1' });
    await review();
    await until(isShown, 'the review', 20_000);
    assert.equal(contentOf('src/ünï.txt'), 'now\n');
    await vscode.commands.executeCommand(COMMANDS.cancelReview);
    assert.ok(!isShown());
    assert.equal(contentOf('src/ünï.txt'), 'now\n');
    await review();
    await vscode.commands.executeCommand(COMMANDS.applyReview);
    assert.equal(contentOf('src/ünï.txt'), 'one\n');
    assert.equal(contentOf('goes'), 'goes\n');
    assert.ok(!isShown());
    const undo = { meta, isReviewed: true };
    await vscode.commands.executeCommand(COMMANDS.undoRestore, undo);
    assert.equal(contentOf('src/ünï.txt'), 'now\n');
    assert.equal(contentOf('comes'), 'comes\n');
  });

  it('show their disk space in the tooltip of a session', async () => {
    const cost = await sessionCost(files.session, [await files.provider()]);
    assert.equal(cost.count, 2);
    assert.ok(cost.bytes > 0);
    const session = { ...files.session, notes: {} };
    const { value } = sessionTooltip(session, undefined, cost);
    assert.match(value.replaceAll('&nbsp;', ' '), /Files: 2 snapshots, [\d.]+ k?B/);
    assert.doesNotMatch(sessionTooltip(session, undefined, undefined).value, /Files:/);
  });
});
