import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { prepareSession } from '../../../../src/extension/terminals/launchSession.ts';
import { AhSandbox, hostFile, until } from '../../../support/ah.ts';
import { outputOfClient } from '../../../support/recording/outputOfClient.ts';
import { scrollbackOf } from '../../../support/scrollbackOf.ts';

describe('the scrollback of a session', function () {
  this.timeout(60_000);

  after(() => set(undefined));

  it('is as long in the recorder as in the editor’s terminals', async function () {
    if (process.platform !== 'linux') this.skip(); // The search for recorders needs Linux.
    await set(20_000);
    const sandbox = new AhSandbox(process.env['AH_DATA_DIR']!);
    const sessionsFolder = path.join(sandbox.folder, 'sessions');
    const cmd = ['/bin/sh', '-c', 'seq 1 15000; echo done; sleep 60'];
    const paths = { hostFile, commandLineFile: '', sessionsFolder };
    const prepared = await prepareSession(paths, { cmd, name: 'lines' });
    const { id, client } = await prepared.begin({ cols: 80, rows: 24 });
    const output = await outputOfClient(client);
    await until(() => output().includes('done'), 'the output');
    client.dispose();
    const { hostSocket } = (await sandbox.catalogue.get(id)).meta;
    const lines = await scrollbackOf(hostSocket, 20_000);
    assert.deepEqual([lines.length, lines[0]], [15_002 - 24, '1']);
    await sandbox.killRecorders();
  });
});

async function set(lines: number | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration('terminal.integrated');
  await settings.update('scrollback', lines, vscode.ConfigurationTarget.Global);
}
