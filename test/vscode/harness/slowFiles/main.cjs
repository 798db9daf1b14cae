// Provides a file that loads once and not again, so that its editor keeps a reloaded window waiting.
const vscode = require('vscode');

const FILE = vscode.Uri.parse('ah-slow:/slow');

exports.activate = ({ subscriptions }) => {
  let isOpened = false;
  const unused = () => {
    throw vscode.FileSystemError.NoPermissions(FILE);
  };
  const provider = {
    readDirectory: () => [],
    createDirectory: unused,
    writeFile: unused,
    delete: unused,
    rename: unused,
    onDidChangeFile: new vscode.EventEmitter().event,
    watch: () => ({ dispose() {} }),
    stat: () => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: 5 }),
    readFile: () => (isOpened ? Buffer.from('slow\n') : new Promise(() => {})),
  };
  subscriptions.push(
    vscode.workspace.registerFileSystemProvider('ah-slow', provider, { isReadonly: true }),
    vscode.commands.registerCommand('ahTest.openSlowFile', async () => {
      isOpened = true;
      await vscode.window.showTextDocument(FILE, {
        viewColumn: vscode.ViewColumn.Beside,
        preview: false,
      });
    }),
  );
};
