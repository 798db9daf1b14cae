import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../../src/extension/contributions.ts';
import { sessionItem } from '../../../../src/extension/sessions/list/sessionItem.ts';
import { RecorderClient } from '../../../../src/sessions/node/recorderClient.ts';
import { readSessionNotes } from '../../../../src/sessions/node/sessionNotes.ts';
import { AhSandbox } from '../../../support/ah.ts';
import { useStubs } from '../../harness/useStubs.ts';

describe('pausing a recording in the extension host', function () {
  this.timeout(60_000);
  const { replace } = useStubs();

  it('stops the recorder from storing anything, and shows that in the list', async () => {
    const sandbox = new AhSandbox(process.env['AH_DATA_DIR']!);
    const launched = await sandbox.launch(['/bin/cat']);
    const client = await RecorderClient.connect(launched.hostSocket);
    const { refreshSessions, pauseRecording, resumeRecording } = COMMANDS;
    await vscode.commands.executeCommand(refreshSessions);
    const session = await launched.session();
    const shownNow = async () => {
      const notes = await readSessionNotes(launched.folder);
      return sessionItem({ ...session, notes });
    };
    try {
      assert.match((await shownNow()).contextValue ?? '', /\.recorded/);
      await vscode.commands.executeCommand(pauseRecording, session);
      assert.equal((await client.status()).isPaused, true);
      const paused = await shownNow();
      assert.match(String(paused.description), /recording paused/);
      assert.match(paused.contextValue ?? '', /\.paused/);
      assert.equal((paused.iconPath as vscode.ThemeIcon).id, 'debug-pause');
      const errors: string[][] = [];
      replace(vscode.window, 'showErrorMessage', (...texts: string[]) => {
        errors.push(texts);
        return Promise.resolve(undefined);
      });
      await vscode.commands.executeCommand(COMMANDS.takeSnapshot, session);
      assert.deepEqual(errors, [
        ['The recording of “cat” is paused. Resume it first.', 'Resume Recording'],
      ]);
      await vscode.commands.executeCommand(resumeRecording, session);
      assert.equal((await client.status()).isPaused, false);
      assert.doesNotMatch(String((await shownNow()).description), /paused/);
    } finally {
      await client.stop();
      client.dispose();
    }
  });
});
