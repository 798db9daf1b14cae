import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, SETTINGS } from '../../../../src/extension/contributions.ts';
import { AhSandbox, until, type LaunchedSession } from '../../../support/ah.ts';

describe('terminal settings', function () {
  this.timeout(60_000);
  let sandbox: AhSandbox;

  before(function () {
    // The programs of this test, and the search for recorders, need Linux.
    if (process.platform !== 'linux') this.skip();
    sandbox = new AhSandbox(process.env['AH_DATA_DIR']!);
  });
  afterEach(async () => {
    await set(SETTINGS.terminalLocation, 'panel');
    await set(SETTINGS.terminalOnClose, undefined);
    for (const terminal of vscode.window.terminals) terminal.dispose();
    await sandbox?.killRecorders();
  });

  async function show(): Promise<LaunchedSession> {
    const session = await sandbox.launch(['/bin/bash', '-c', 'echo here; exec cat']);
    await vscode.commands.executeCommand(COMMANDS.refreshSessions);
    await vscode.commands.executeCommand(COMMANDS.attachSession, { meta: { id: session.id } });
    return session;
  }
  const terminalTabs = () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputTerminal);

  it('open terminals in the editor area', async () => {
    await show();
    await until(() => vscode.window.terminals.length === 1, 'a terminal in the panel');
    assert.equal(terminalTabs().length, 0);
    vscode.window.terminals[0]!.dispose();
    await set(SETTINGS.terminalLocation, 'editor');
    await show();
    await until(() => terminalTabs().length === 1, 'a terminal among the editors');
  });

  it('stop the program when its terminal is closed', async () => {
    await set(SETTINGS.terminalOnClose, 'stop');
    const session = await show();
    await until(() => vscode.window.activeTerminal !== undefined, 'the terminal');
    await vscode.commands.executeCommand('workbench.action.terminal.kill');
    const state = async () => (await session.session()).meta.state;
    await until(async () => (await state()) === 'finished', 'its end', 20_000);
  });
});

async function set(setting: string, value: string | undefined): Promise<void> {
  const target = vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration('ah').update(setting, value, target);
}
