import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { reportProblem } from '../../../../src/extension/diagnostics/reportProblem.ts';
import type { SessionStore } from '../../../../src/extension/sessions/sessionStore.ts';
import { until } from '../../../support/ah.ts';

describe('a problem report', () => {
  const { showInformationMessage } = vscode.window;
  const { openExternal } = vscode.env;
  const replace = (target: object, name: string, value: unknown) =>
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  afterEach(async () => {
    replace(vscode.window, 'showInformationMessage', showInformationMessage);
    replace(vscode.env, 'openExternal', openExternal);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  /** Presses the only button. @returns the message, the report, and the pages that were opened */
  async function report(bugs: object | undefined) {
    const messages: string[] = [];
    const opened: string[] = [];
    replace(vscode.window, 'showInformationMessage', (text: string, button: string) => {
      messages.push(`${text} [${button}]`);
      return Promise.resolve(button);
    });
    replace(vscode.env, 'openExternal', (uri: vscode.Uri) => {
      opened.push(uri.toString());
      return Promise.resolve(true);
    });
    await vscode.env.clipboard.writeText('');
    const context = {
      extension: { packageJSON: { version: '1.2.3', ...(bugs && { bugs }) } },
      logUri: vscode.Uri.file('/no/such/log'),
    };
    const store = { sessions: [] } as unknown as SessionStore;
    await reportProblem(context as unknown as vscode.ExtensionContext, store);
    let copied = '';
    await until(async () => {
      copied = await vscode.env.clipboard.readText();
      return copied !== '' && (bugs === undefined || opened.length > 0);
    }, 'the report to be copied');
    assert.equal(vscode.window.activeTextEditor?.document.getText(), copied);
    assert.match(copied, /extension 1\.2\.3/);
    return { messages, opened };
  }

  it('is copied for the issue tracker that the package names', async () => {
    const { messages, opened } = await report({ url: 'https://tracker.test/issues' });
    assert.deepEqual(opened, ['https://tracker.test/issues']);
    assert.match(messages[0]!, /\[Copy and Open the Issue Tracker\]$/);
  });

  it('is copied, and says that no tracker is known, if the package names none', async () => {
    const { messages, opened } = await report(undefined);
    assert.deepEqual(opened, []);
    assert.match(messages[0]!, /has no issue tracker\. \[Copy Report\]$/);
  });
});
