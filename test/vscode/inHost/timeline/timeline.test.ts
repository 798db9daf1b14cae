import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, EDITORS, PANELS } from '../../../../src/extension/contributions.ts';
import { AhSandbox, until } from '../../../support/ah.ts';
import { placeShortSession } from '../../harness/sessions/agentSession.ts';
import type { PlacedSession } from '../../harness/sessions/placeSession.ts';

/** Tests the active extension. */
describe('the timeline', function () {
  this.timeout(60_000);
  let placed: PlacedSession;

  before(async () => {
    const sandbox = new AhSandbox(process.env['AH_DATA_DIR']!);
    const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    placed = await placeShortSession(sandbox, workspace, 'timeline session');
    await vscode.commands.executeCommand(COMMANDS.refreshSessions);
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isTimeline = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputWebview && input.viewType.endsWith(PANELS.timeline);
  const threads = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

  it('opens once per session', async () => {
    const argument = { meta: { id: placed.id } };
    await vscode.commands.executeCommand(COMMANDS.openTimeline, argument);
    await until(() => tabs().some(isTimeline), 'the timeline');
    assert.equal(tabs().find(isTimeline)!.label, `${placed.name} · Timeline`);
    await vscode.commands.executeCommand(COMMANDS.openTimeline, argument);
    await vscode.commands.executeCommand(COMMANDS.openFact, { session: placed.id, byte: 22 });
    assert.equal(tabs().filter(isTimeline).length, 1);
    // Commands without an argument use the active session.
    await vscode.commands.executeCommand(COMMANDS.openTranscript);
    await until(
      () => vscode.window.activeTextEditor?.document.uri.scheme === 'ah-transcript',
      'the transcript of the same session',
    );
    const { document } = vscode.window.activeTextEditor!;
    await until(() => document.getText().includes('19 passed'), 'its text', 20_000);
    const titles = () => tabs().map(({ label }) => label);
    assert.ok(titles().includes(`${placed.name} · Transcript`), titles().join(', '));
    await vscode.commands.executeCommand(COMMANDS.showStatistics, argument);
    await until(() => titles().includes(`${placed.name} · Statistics`), 'the statistics');
  });

  it('runs entries of its context menu in the clicked page', async () => {
    await vscode.commands.executeCommand(COMMANDS.openTimeline, { meta: { id: placed.id } });
    await vscode.env.clipboard.writeText('');
    // The argument that VS Code passes for a click in this page. Arguments of another page, or
    // none, have no effect.
    const clicked = { webview: 'ah.timeline', recording: placed.recording, momentId: null };
    await vscode.commands.executeCommand(COMMANDS.copyScreenText, { ...clicked, recording: 'x' });
    await vscode.commands.executeCommand(COMMANDS.copyScreenText, 'no context');
    await until(
      async () => {
        await vscode.commands.executeCommand(COMMANDS.copyScreenText, clicked);
        return (await vscode.env.clipboard.readText()).includes('19 passed');
      },
      'the text of the screen',
      20_000,
    );
    await vscode.commands.executeCommand(COMMANDS.copyMomentLink, clicked);
    const linked = async () =>
      new URLSearchParams(vscode.Uri.parse(await vscode.env.clipboard.readText()).query).get('at');
    await until(async () => (await linked()) === `@${placed.totalBytes}`, 'a link to its end');
  });

  it('is the default editor of recordings', async () => {
    const uri = vscode.Uri.file(placed.recording);
    const isEditor = ({ input }: vscode.Tab) =>
      input instanceof vscode.TabInputCustom && input.viewType === EDITORS.recording;
    await vscode.commands.executeCommand('vscode.open', uri);
    await until(() => tabs().some(isEditor), 'the recording as a timeline');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('vscode.openWith', uri, EDITORS.recording);
    await until(() => tabs().some(isEditor), 'the recording as a timeline');
    await vscode.commands.executeCommand('workbench.action.files.save');
    assert.equal(tabs().find(isEditor)!.isDirty, false);
  });

  it('reports a session that no longer exists', async () => {
    await vscode.commands.executeCommand(COMMANDS.openFact, { session: 'nobody', byte: 1 });
    await vscode.commands.executeCommand(COMMANDS.openFact, undefined);
    assert.equal(tabs().filter(isTimeline).length, 0);
  });

  it('ends its thread when its tab is closed', async () => {
    let before = threads();
    let unchangedSince = performance.now();
    const isAtRest = () => {
      if (threads() !== before) unchangedSince = performance.now();
      before = threads();
      return performance.now() - unchangedSince > 1000;
    };
    await until(isAtRest, 'the threads of tests before to be gone');
    for (let turn = 0; turn < 3; turn++) {
      await vscode.commands.executeCommand(COMMANDS.openTimeline, { meta: { id: placed.id } });
      await until(() => threads() > before, 'a thread of its own');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await until(() => threads() <= before, 'no thread left', 20_000);
    }
  });
});
