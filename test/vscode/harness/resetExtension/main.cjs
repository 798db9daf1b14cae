// Runs in the editor beside the extension under test. A journey that has ended asks it to bring the window back to how it
// opened, which takes a tenth of the time of opening another one.
const { rmSync } = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const vscode = require('vscode');

exports.activate = (context) => {
  const control = process.env.AH_TEST_CONTROL;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (!control || !folder) return;
  const socket = path.join(control, `${path.basename(folder)}.sock`);
  const server = net.createServer((connection) => {
    connection.on('error', () => {}); // The journey was stopped meanwhile.
    connection.once('data', async (data) => {
      const answer = await steps[String(data).trim()]().then(
        () => 'done',
        (error) => `failed: ${error?.stack ?? error}`,
      );
      connection.end(answer);
    });
  });
  // A second window on the same folder leaves the first one in charge; the socket of one that is gone is replaced.
  const probe = net.connect(socket);
  probe.on('connect', () => probe.destroy());
  probe.on('error', () => {
    rmSync(socket, { force: true });
    server.listen(socket);
  });
  context.subscriptions.push({ dispose: () => server.close() });
};

const run = (command, ...args) => vscode.commands.executeCommand(command, ...args);

const steps = {
  /** Lets go of everything that a journey opened. */
  async close() {
    await run('workbench.action.closeQuickOpen');
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await run('workbench.action.revertAndCloseActiveEditor');
    }
    await run('workbench.action.closeAllEditors');
    for (const terminal of vscode.window.terminals) terminal.dispose();
    while (vscode.window.terminals.length > 0) await new Promise((done) => setTimeout(done, 10));
  },
  /** When its sessions are gone from the disk: shows what a new window shows. */
  async settle() {
    await run('ah.clearFilter');
    await run('ah.refreshSessions');
    await run('workbench.view.explorer');
    await run('workbench.action.closePanel');
    await run('notifications.clearAll');
    await run('notifications.hideList');
  },
};
