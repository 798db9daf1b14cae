import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../../../support/ah.ts';
import { COMMANDS } from '../../../../src/extension/contributions.ts';

const extension = () => vscode.extensions.getExtension('ah-time-travel.ah-time-travel')!;

describe('activation', () => {
  it('happens when a window opens', async () => {
    await until(() => extension().isActive, 'the extension to be active', 20_000);
  });

  it('registers every command that the manifest contributes', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = Object.values(COMMANDS).filter((id) => !registered.has(id));
    assert.deepEqual(missing, []);
  });

  it('works without proposed API, as in the stable version', () => {
    const { onDidWriteTerminalData } = vscode.window as unknown as {
      onDidWriteTerminalData: vscode.Event<unknown>;
    };
    assert.throws(() => onDidWriteTerminalData(() => {}), /CANNOT use API proposal/);
  });
});
