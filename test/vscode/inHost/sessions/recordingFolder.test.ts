import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../../src/extension/contributions.ts';
import type { Session } from '../../../../src/extension/sessions/session.ts';
import { sessionTooltip } from '../../../../src/extension/sessions/list/sessionTooltip.ts';
import {
  missingSnapshotsText,
  MissingSnapshotsWarning,
} from '../../../../src/extension/terminals/missingSnapshotsWarning.ts';
import { AhSandbox, outputOf, readRecording, until } from '../../../support/ah.ts';
import { useStubs } from '../../harness/useStubs.ts';

describe('the folder of a new session', function () {
  this.timeout(60_000);
  const { replace, restores } = useStubs();
  const sandbox = new AhSandbox(process.env['AH_DATA_DIR']!);
  afterEach(() => vscode.commands.executeCommand('workbench.action.terminal.killAll'));

  function folder(): string {
    const created = realpathSync(mkdtempSync(path.join(tmpdir(), 'ah-f-')));
    restores.push(() => rmSync(created, { recursive: true, force: true }));
    return created;
  }

  /** Opens folders as a workspace of several. */
  function openFolders(...folders: string[]): void {
    const opened = folders.map((each, index) => ({
      uri: vscode.Uri.file(each),
      name: path.basename(each),
      index,
    }));
    replace(vscode.workspace, 'workspaceFolders', opened);
  }

  /** Records a command in the folder at this place of the list. @returns the lists that it shows */
  async function recordIn(
    place: number | undefined,
    command = 'true',
  ): Promise<vscode.QuickPickItem[][]> {
    const lists: vscode.QuickPickItem[][] = [];
    replace(
      vscode.window,
      'showQuickPick',
      async (items: Thenable<vscode.QuickPickItem[]> | vscode.QuickPickItem[]) => {
        const list = await items;
        lists.push(list);
        if (lists.length === 1) return list.find(({ label }) => label === 'Custom Command…');
        return place === undefined ? undefined : list[place];
      },
    );
    replace(vscode.window, 'showInputBox', () => Promise.resolve(command));
    await vscode.commands.executeCommand(COMMANDS.recordAgent);
    return lists;
  }

  const foldersOfSessions = async () =>
    (await sandbox.catalogue.list()).map(({ meta }) => meta.cwd).sort();

  it('is asked for in a workspace of several folders', async () => {
    const [first, second] = [folder(), folder()];
    openFolders(first, second);
    const before = await foldersOfSessions();
    const terminals = vscode.window.terminals.length;

    const [, cancelled] = await recordIn(undefined);
    assert.deepEqual(
      cancelled?.map(({ label }) => label),
      [path.basename(first), path.basename(second)],
    );
    assert.equal(vscode.window.terminals.length, terminals, 'Escape opens no terminal');

    await recordIn(1);
    const isStarted = async () => (await foldersOfSessions()).includes(second);
    await until(isStarted, 'a session in the second folder');
    assert.deepEqual(await foldersOfSessions(), [...before, second].sort());
    const [, again] = await recordIn(undefined);
    assert.deepEqual(
      again?.map(({ label, description }) => [label, description]),
      [
        [path.basename(second), 'last used'],
        [path.basename(first), ''],
      ],
    );
    await sandbox.settled();
  });

  it('is not asked for in a workspace of one folder', async () => {
    const only = folder();
    openFolders(only);
    const lists = await recordIn(0);
    assert.equal(lists.length, 1);
    await until(async () => (await foldersOfSessions()).includes(only), 'a session there');
    await sandbox.settled();
  });

  /** A session as the catalogue lists it. */
  function running(workspace: string, ...cmd: string[]): Session {
    const meta = { id: folder(), state: 'running', workspace, cwd: workspace, cmd };
    return {
      folder: meta.id,
      notes: {},
      meta: { ...meta, startedAtNs: 0n },
    } as unknown as Session;
  }

  function collectWarnings(): string[] {
    const warnings: string[] = [];
    replace(vscode.window, 'showWarningMessage', (text: string) => {
      warnings.push(text);
      return Promise.resolve(undefined);
    });
    return warnings;
  }

  it('is where a shell announces its commands that was entered as a command', async () => {
    const only = folder();
    openFolders(only);
    await recordIn(0, 'bash');
    const started = async () =>
      (await sandbox.catalogue.list()).find(({ meta }) => meta.cwd === only);
    await until(async () => (await started()) !== undefined, 'the session');
    vscode.window.terminals.at(-1)?.sendText('echo hello; exit 3');
    await sandbox.settled();
    const session = await started();
    assert.ok(session);
    const { records } = await readRecording(session.meta.recording);
    assert.match(outputOf(records).toString(), /\x1b\]633;E;echo hello\\x3b exit 3\x07/);
    assert.equal(session.meta.exitCode, 3);
  });

  it('is named as too wide for snapshots, once for each session', async () => {
    const warnings = collectWarnings();
    const [first, second] = [running(homedir(), 'claude'), running(homedir(), 'claude')];
    const window = new MissingSnapshotsWarning();
    await Promise.all([window.show(first), window.show(first)]);
    await window.show(running(folder(), 'claude'));
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /no snapshots of your home folder/);
    await window.show(second);
    assert.equal(warnings.length, 2, 'the next session is warned about too');
    await new MissingSnapshotsWarning().show(first);
    assert.equal(warnings.length, 2, 'a reloaded window does not repeat it');

    const text = await missingSnapshotsText(first);
    const tooltip = sessionTooltip(first, undefined, undefined, text).value;
    assert.match(tooltip.replaceAll('&nbsp;', ' '), /no snapshots of your home folder/);
  });

  it('gets a warning if AH can’t follow the commands of the shell', async () => {
    const warnings = collectWarnings();
    const window = new MissingSnapshotsWarning();
    for (const shell of ['bash', 'zsh', 'fish']) await window.show(running(folder(), shell));
    assert.deepEqual(warnings, []);
    await window.show(running(folder(), '/bin/dash', '-i'));
    assert.match(warnings[0] ?? '', /no snapshot after each command.*“dash -i”/);
  });
});
