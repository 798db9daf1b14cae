import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { UserError, type Remedy } from '../../../../src/base/errors.ts';
import { COMMANDS } from '../../../../src/extension/contributions.ts';
import { showUserError } from '../../../../src/extension/remedies.ts';
import { AhSandbox, until } from '../../../support/ah.ts';
import { useStubs } from '../../harness/useStubs.ts';

const SESSION = { meta: { id: 'a' } };

describe('an error that says to do something first', function () {
  this.timeout(60_000);
  const { replace } = useStubs();

  /** Clicks the only button of each error. @returns the errors and their buttons */
  function clicking(): string[][] {
    const shown: string[][] = [];
    replace(vscode.window, 'showErrorMessage', (...texts: string[]) => {
      shown.push(texts);
      return Promise.resolve(texts[1]);
    });
    return shown;
  }

  const remedies: [Remedy, string, string, unknown][] = [
    [{ kind: 'trustWorkspace' }, 'Manage Workspace Trust', 'workbench.trust.manage', undefined],
    [{ kind: 'openTranscript' }, 'Open Transcript…', COMMANDS.openTranscript, undefined],
    [{ kind: 'stopSession', sessionId: 'a' }, 'Stop Session', COMMANDS.stopSession, SESSION],
    [
      { kind: 'resumeRecording', sessionId: 'a' },
      'Resume Recording',
      COMMANDS.resumeRecording,
      SESSION,
    ],
    [{ kind: 'discardBranch', sessionId: 'a' }, 'Discard Branch…', COMMANDS.discardBranch, SESSION],
  ];
  for (const [remedy, label, command, argument] of remedies) {
    it(`has the button “${label}”, whose command exists`, async () => {
      assert.ok((await vscode.commands.getCommands()).includes(command));
      const shown = clicking();
      const run: unknown[][] = [];
      replace(vscode.commands, 'executeCommand', (...call: unknown[]) => {
        run.push(call);
        return Promise.resolve();
      });
      await showUserError(new UserError('code', 'Do it first.', { remedy }));
      assert.deepEqual(shown, [['Do it first.', label]]);
      assert.deepEqual(run, [[command, argument]]);
    });
  }

  it('has no button without a remedy', async () => {
    const shown = clicking();
    await showUserError(new UserError('code', 'It is gone.'));
    assert.deepEqual(shown, [['It is gone.']]);
  });

  for (const isStopped of [true, false]) {
    it(`${isStopped ? 'continues' : 'does not continue'} when the session ${isStopped ? 'was' : 'was not'} stopped`, async () => {
      clicking();
      const run: unknown[][] = [];
      replace(vscode.commands, 'executeCommand', (...call: unknown[]) => {
        run.push(call);
        return Promise.resolve(isStopped);
      });
      const next = { kind: 'discardBranch', sessionId: 'b' } as const;
      const remedy = { kind: 'stopSession', sessionId: 'a', next } as const;
      await showUserError(new UserError('code', 'Stop it first.', { remedy }));
      const stop = [COMMANDS.stopSession, SESSION];
      const discard = [COMMANDS.discardBranch, { meta: { id: 'b' } }];
      assert.deepEqual(run, isStopped ? [stop, discard] : [stop]);
    });
  }

  it('stops the running session that a command can’t delete', async () => {
    const sandbox = new AhSandbox(process.env['AH_DATA_DIR']!);
    const { id, folder } = await sandbox.launch(['/bin/cat']);
    const shown = clicking();
    const questions: string[] = [];
    replace(vscode.window, 'showWarningMessage', (text: string) => {
      questions.push(text);
      return Promise.resolve('Stop');
    });
    await vscode.commands.executeCommand(COMMANDS.refreshSessions);
    await vscode.commands.executeCommand(COMMANDS.deleteSession, { meta: { id } });
    assert.deepEqual(shown, [['Stop the session first.', 'Stop Session']]);
    const isOver = async () => {
      const session = (await sandbox.catalogue.list()).find((each) => each.folder === folder);
      return session?.meta.state === 'finished';
    };
    await until(isOver, 'the end of the session');
    assert.deepEqual(questions, ['Stop “cat”?']);
  });
});
