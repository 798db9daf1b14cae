import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { UserError } from '../../base/errors.ts';
import { yieldEvery } from '../../platform/shared/yieldEvery.ts';
import { RecordingContent } from '../../terminal/lines/recordingContent.ts';
import { registerCommands, type CommandHandlers } from '../commandRegistry.ts';
import { COMMANDS, EDITORS, VIEWS } from '../contributions.ts';
import { registerRecordingEditor } from '../recordings/recordingEditor.ts';
import { WorkspaceFile } from '../workspaceFile.ts';
import { BrotliModule } from './brotliModule.ts';
import { WasmBrotli } from './wasmBrotli.ts';
import { WebFile } from './webFile.ts';

/** How long the extension host may be busy with a recording before others have their turn. */
const WORK_MS = 12;

/** The extension where there is no machine to record on: recordings can be opened, and everything else says why not. */
export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, subscriptions } = context;
  const log = vscode.window.createOutputChannel('AH Time Travel', { log: true });
  const noSessions = new Emitter<void>();
  const brotli = new BrotliModule(extensionUri);
  const breathe = yieldEvery(WORK_MS);
  const decompressor = new WasmBrotli({ newStream: () => brotli.newStream(), breathe });
  subscriptions.push(
    log,
    noSessions,
    registerCommands(handlers(log), log),
    ...Object.values(VIEWS).map((view) =>
      vscode.window.registerTreeDataProvider(view, {
        getChildren: () => [],
        getTreeItem: () => new vscode.TreeItem(''),
      }),
    ),
    registerRecordingEditor({
      ...{ extensionUri, log, onDidChangeSessions: noSessions.event },
      open: (uri) =>
        new RecordingContent({
          source: new WebFile(new WorkspaceFile(uri)),
          decompressor,
          breathe,
        }),
      sessionOf: () => undefined,
    }),
  );
}

function handlers(log: vscode.LogOutputChannel): CommandHandlers {
  const refused = Object.values(COMMANDS).map((id) => [id, refuse] as const);
  return {
    ...(Object.fromEntries(refused) as unknown as CommandHandlers),
    [COMMANDS.openRecording]: openRecording,
    [COMMANDS.refreshSessions]: () => Promise.resolve(),
    [COMMANDS.showLog]: () => Promise.resolve(log.show()),
  };
}

function refuse(): Promise<never> {
  const text = vscode.l10n.t(
    'This needs VS Code on a computer, or one connected to a computer. Here recordings can be opened and read.',
  );
  return Promise.reject(new UserError('needs-a-computer', text));
}

async function openRecording(): Promise<void> {
  const [file] =
    (await vscode.window.showOpenDialog({ filters: { [vscode.l10n.t('Recordings')]: ['ahr'] } })) ??
    [];
  if (file) await vscode.commands.executeCommand('vscode.openWith', file, EDITORS.recording);
}
