import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { COMMANDS, EDITORS } from '../../../../src/extension/contributions.ts';
import { AhSandbox, until, type LaunchedSession } from '../../../support/ah.ts';
import { measureOwnWork } from '../../harness/ownWork.ts';

const BUDGET_MS = 50;
/** Attempts, because other processes may disturb a measurement. */
const ROUNDS = 3;
const SESSIONS = 300;
/** Numbers the files that tell programs that their terminal is shown. */
let rounds = 0;
const LONG_BYTES = 20_000_000;
const LINE = 'The quick brown fox jumps over the lazy dog, and goes on to the next line.\n';

/** Tests the active extension. */
describe('the extension’s work in the extension host', function () {
  this.timeout(180_000);
  let sandbox: AhSandbox;

  before(function () {
    // The programs of this test, and the search for recorders, need Linux.
    if (process.platform !== 'linux') this.skip();
    sandbox = new AhSandbox(process.env['AH_DATA_DIR']!);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const terminal of vscode.window.terminals) terminal.dispose();
    await sandbox?.killRecorders();
  });

  async function launch(script: string): Promise<LaunchedSession> {
    const session = await sandbox.launch(['/bin/bash', '-c', script]);
    await vscode.commands.executeCommand(COMMANDS.refreshSessions);
    return session;
  }

  async function measured(task: () => Promise<void>): Promise<void> {
    let facts = '';
    for (let round = 0; round < ROUNDS; round++) {
      const work = await measureOwnWork('/dist/extension.cjs', task);
      assert.ok(work.totalMs > 0, 'it did something');
      if (work.longestMs <= BUDGET_MS) return;
      facts = `${work.longestMs} ms at a time in ${work.where.join(' → ')}`;
    }
    assert.fail(facts);
  }

  it('takes short tasks while a session is shown, floods and ends', async () => {
    await measured(async () => {
      const shown = path.join(sandbox.folder, `shown-${++rounds}`);
      const launched = await launch(
        `until test -e ${shown}; do sleep 0.05; done; timeout 2 yes "$0"; echo; echo done; sleep 1`,
      );
      const isOver = async () => (await launched.session()).meta.state === 'finished';
      const argument = { meta: { id: launched.id } };
      await vscode.commands.executeCommand(COMMANDS.attachSession, argument);
      writeFileSync(shown, '');
      await until(isOver, 'its end', 60_000);
      await sleep(500);
    });
  });

  it('takes short tasks while a long recording opens', async () => {
    const file = path.join(sandbox.folder, 'long');
    mkdirSync(sandbox.folder, { recursive: true });
    writeFileSync(file, LINE.repeat(LONG_BYTES / LINE.length));
    const { recording } = await launch(`cat ${file}`);
    await sandbox.settled(100_000);
    await measured(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const uri = vscode.Uri.file(recording);
      await vscode.commands.executeCommand('vscode.openWith', uri, EDITORS.recording);
      const clicked = { webview: 'ah.recording', recording, momentId: null };
      await vscode.env.clipboard.writeText('');
      const isOpen = async () => {
        await vscode.commands.executeCommand(COMMANDS.copyScreenText, clicked);
        return (await vscode.env.clipboard.readText()).includes('the lazy dog');
      };
      await until(isOpen, 'the page to show the end of the recording', 60_000);
      await sleep(500);
    });
  });

  it('takes short tasks while hundreds of sessions are listed', async () => {
    const { id, folder } = await launch('true');
    await sandbox.settled();
    const meta = readFileSync(path.join(folder, 'session.meta.json'), 'utf8');
    for (let i = 0; i < SESSIONS; i++) {
      const copy = path.join(sandbox.folder, 'sessions', `copy-${i}`);
      mkdirSync(copy, { recursive: true });
      writeFileSync(path.join(copy, 'session.meta.json'), meta.replaceAll(id, `copy-${i}`));
      const entry = path.join(sandbox.catalogue.folder, `copy-${i}.json`);
      writeFileSync(entry, JSON.stringify({ folder: copy }));
    }
    await measured(async () => {
      await vscode.commands.executeCommand('ah.sessions.focus');
      for (let i = 0; i < 5; i++) {
        await vscode.commands.executeCommand(COMMANDS.refreshSessions);
        await sleep(50);
      }
    });
  });
});
