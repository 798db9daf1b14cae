import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../../src/extension/contributions.ts';
import { AhSandbox, until } from '../../../support/ah.ts';
import { placeShortSession } from '../../harness/sessions/agentSession.ts';
import type { PlacedSession } from '../../harness/sessions/placeSession.ts';

/** Tests the active extension. */
describe('the transcript', function () {
  this.timeout(60_000);
  let placed: PlacedSession;

  before(async () => {
    const sandbox = new AhSandbox(process.env['AH_DATA_DIR']!);
    const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    placed = await placeShortSession(sandbox, workspace, 'short session');
    await vscode.commands.executeCommand(COMMANDS.refreshSessions);
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  async function open(): Promise<vscode.TextEditor> {
    await vscode.commands.executeCommand(COMMANDS.openTranscript, { meta: { id: placed.id } });
    const editor = vscode.window.activeTextEditor!;
    assert.equal(editor.document.uri.scheme, 'ah-transcript');
    // The agent's moments appear after its output.
    await until(() => /^● .*Done\.$/m.test(editor.document.getText()), 'its text');
    return editor;
  }

  /** Without times, which depend on the time zone. */
  const withoutTimes = (text: string) => text.replace(/\d\d:\d\d:\d\d(?: [AP]M)?/g, 'TIME');

  it('shows the session and its moments as read-only text', async () => {
    const { document } = await open();
    assert.deepEqual(withoutTimes(document.getText()).split('\n'), [
      '    Welcome to the agent',
      '',
      '❯ 1 · TIME  fix the test   interrupted · 30.0 s · 1 tool call',
      '  and say why',
      '    > fix the test',
      '    I will add a sleep.',
      '✗ TIME  Bash npm test   failed · exit 1',
      '◆ #11 · TIME  after Edit queue.ts',
      '    1 failed, 18 passed',
      '',
      '❯ 2 · TIME  try again   Done.',
      '    > try again',
      '    19 passed',
      '◆ #12 · TIME  after Bash npm test',
      '    Done.',
      '● TIME  Done.',
    ]);
    assert.equal(document.languageId, 'ah-transcript');
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(document.getText().startsWith('    Welcome'), true);
  });

  it('offers actions at each snapshot', async () => {
    const { document } = await open();
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      ...(['vscode.executeCodeLensProvider', document.uri, 100] as const),
    );
    const registered = await vscode.commands.getCommands(true);
    const isBranching = registered.includes('ah.branchHere');
    const titles = new Map<number, string>();
    for (const { range, command } of lenses) {
      const before = titles.get(range.start.line);
      titles.set(range.start.line, before ? `${before} · ${command!.title}` : command!.title);
    }
    const atSnapshot = `${isBranching ? 'Branch here · ' : ''}Open snapshot · Diff`;
    assert.equal(titles.get(7), atSnapshot);
    assert.equal(titles.get(13), atSnapshot);
    assert.equal(titles.get(2), isBranching ? 'Branch here' : undefined);
    // The first turn has no snapshot before it.
    assert.equal(titles.get(10), `${isBranching ? 'Branch here · ' : ''}Diff of turn`);
    const ofTurn = lenses.find(({ command }) => command!.title === 'Diff of turn')!.command!;
    const turn = { meta: { id: placed.id }, snapshotId: '12', fromSnapshotId: '11' };
    assert.deepEqual(ofTurn.arguments, [turn]);
    const argument = lenses.find(({ command }) => command!.title === 'Diff')!.command!.arguments;
    assert.deepEqual(argument, [{ meta: { id: placed.id }, snapshotId: '11' }]);
  });

  it('has an outline of turns and moments, and folding ranges', async () => {
    const { document } = await open();
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      ...(['vscode.executeDocumentSymbolProvider', document.uri] as const),
    );
    assert.deepEqual(
      symbols.map(({ name, children }) => [name, ...children.map((child) => child.name)]),
      [
        ['1 fix the test', 'Bash npm test', 'after Edit queue.ts'],
        ['2 try again', 'after Bash npm test', 'Done.'],
      ],
    );
    assert.equal(symbols[0]!.range.start.line, 2);
    assert.equal(symbols[0]!.range.end.line, 8);
    const ranges = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      ...(['vscode.executeFoldingRangeProvider', document.uri] as const),
    );
    const turns = ranges.filter(({ start }) => start === 2 || start === 10);
    assert.deepEqual(
      turns.map(({ start, end }) => [start, end]),
      [
        [2, 8],
        [10, 15],
      ],
    );
  });

  it('opens the timeline, and back', async () => {
    const editor = await open();
    editor.selection = new vscode.Selection(8, 0, 8, 0);
    await vscode.commands.executeCommand(COMMANDS.showInTimeline);
    const isTimeline = () =>
      vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
    await until(isTimeline, 'the timeline');
    await vscode.commands.executeCommand(COMMANDS.openTranscript);
    await until(
      () => vscode.window.activeTextEditor?.document.uri.scheme === 'ah-transcript',
      'the transcript',
    );
  });

  it('reports that its recording was deleted, and keeps its text', async () => {
    const { document } = await open();
    const text = document.getText();
    rmSync(placed.recording);
    let title = '';
    await until(
      async () => {
        const [lens] = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          ...(['vscode.executeCodeLensProvider', document.uri, 1] as const),
        );
        title = lens?.command?.title ?? '';
        return title.includes('no longer exists');
      },
      'a sentence about it',
      20_000,
    );
    assert.equal(document.getText(), text);
  });
});
