import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../../src/extension/contributions.ts';
import { AhSandbox } from '../../../support/ah.ts';
import { useStubs } from '../../harness/useStubs.ts';

describe('scrubbing a text in the extension host', function () {
  this.timeout(60_000);
  const { replace } = useStubs();

  it('offers to stop a session in the same folder before it asks for the text', async () => {
    const sandbox = new AhSandbox(process.env['AH_DATA_DIR']!);
    const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const place = { cwd: workspace, workspace };
    const ended = await sandbox.launch(['/bin/true'], place);
    const neighbour = await sandbox.launch(['/bin/cat'], place);
    const shown: string[][] = [];
    replace(vscode.window, 'showErrorMessage', (...texts: string[]) => {
      shown.push(texts);
      return Promise.resolve(texts[1]);
    });
    let asked = 0;
    replace(vscode.window, 'showInputBox', () => {
      asked++;
      return Promise.resolve(undefined);
    });
    replace(vscode.window, 'showWarningMessage', () => Promise.resolve('Stop'));
    await vscode.commands.executeCommand(COMMANDS.refreshSessions);
    await vscode.commands.executeCommand(COMMANDS.scrubText, { meta: { id: ended.id } });
    assert.equal(asked, 0);
    const text = `Session ${neighbour.id} is running in the same folder; stop it first.`;
    assert.deepEqual(shown, [[text, 'Stop Session']]);
    await sandbox.settled();
    await vscode.commands.executeCommand(COMMANDS.scrubText, { meta: { id: ended.id } });
    assert.equal(asked, 1);
  });
});
